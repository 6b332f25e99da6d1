import type { Slot } from '@looptide/contracts/schedule'
import { useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { EditDialog } from '../../../ui/edit-dialog.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { useDragOrder } from '../../../ui/use-drag-order.ts'
import { useForm } from '../../../ui/use-form.ts'
import { EditActions } from '../fields/edit-actions.tsx'
import { ProblemLines } from '../fields/problem-lines.tsx'
import { ReferenceNameField } from '../fields/reference-name-field.tsx'
import { toName } from '../model/names.ts'
import { clockLengthMs, durationText } from '../model/times.ts'
import { SlotRow } from './slot-row.tsx'

/** A slot in the form, with an id that it keeps when it is moved. */
interface Row {
  id: number
  slot: Slot
}

/** Creates or edits a clock. An empty `name` creates one. */
export function ClockDialog(props: {
  name: string
  slots: readonly Slot[]
  sources: readonly string[]
  otherNames: readonly string[]
  /** The blocks that use the clock; it can be deleted only if there are none. */
  uses: readonly string[]
  problems: readonly string[]
  onSave: (name: string, slots: Slot[]) => void
  onRemove: () => void
  onClose: () => void
}) {
  const { sources, uses, onClose } = props
  const [text, setText] = useState(props.name)
  const name = toName(text)
  const isNew = props.name === ''
  const [rows, setRows] = useState<Row[]>(() => props.slots.map((slot, id) => ({ id, slot })))
  const slots = rows.map(({ slot }) => slot)
  const form = useForm({
    check: () => {
      if (name === '') return { field: 'name', description: 'Enter a name' }
      return props.otherNames.includes(name)
        ? { field: 'name', description: `A clock named ${name} already exists` }
        : undefined
    },
    send: async () => {
      props.onSave(name, slots)
      onClose()
    },
  })
  const adding = useRef<HTMLDivElement>(null)
  const add = (slot: Slot) => {
    flushSync(() => setRows([...rows, { id: Math.max(-1, ...rows.map(({ id }) => id)) + 1, slot }]))
    // The new slot is above the buttons, which it may have moved out of sight.
    adding.current?.scrollIntoView({ block: 'nearest' })
  }
  return (
    <EditDialog
      title={isNew ? 'New clock' : `Edit ${props.name}`}
      before={[props.name, props.slots]}
      now={[text, slots]}
      isOpen
      onClose={onClose}
    >
      <Form form={form}>
        <ProblemLines problems={props.problems} />
        <ReferenceNameField form={form} text={text} onChange={setText} />
        <Slots
          rows={rows}
          sources={sources}
          onChange={setRows}
          onEmpty={() => adding.current?.querySelector('button')?.focus()}
        />
        <div ref={adding} className="flex flex-wrap items-center gap-2">
          <Button icon="plus" onClick={() => add({ source: sources[0] ?? '', count: 1 })}>
            Add videos
          </Button>
          <Button icon="plus" onClick={() => add({ ident: 'station', durationMs: 8000 })}>
            Add ident
          </Button>
          <p role="status" className="ml-auto text-sm text-muted">
            About {durationText(clockLengthMs(slots))}, then repeats
          </p>
        </div>
        <EditActions onRemove={isNew ? undefined : props.onRemove} uses={uses} onClose={onClose}>
          <SubmitButton form={form} disabled={slots.length === 0}>
            {isNew ? 'Add clock' : 'Save clock'}
          </SubmitButton>
        </EditActions>
      </Form>
    </EditDialog>
  )
}

/** The slots in order, reordered by dragging or with buttons. */
function Slots(props: {
  rows: readonly Row[]
  sources: readonly string[]
  onChange: (rows: Row[]) => void
  /** The last slot was removed. */
  onEmpty: () => void
}) {
  const { rows, sources, onChange, onEmpty } = props
  const move = (from: number, to: number) => {
    const moved = rows[from]
    if (moved === undefined || to < 0 || to >= rows.length) return
    onChange(rows.filter((row) => row !== moved).toSpliced(to, 0, moved))
  }
  const { list, drag, handle } = useDragOrder(move)
  const remove = (index: number) => {
    flushSync(() => onChange(rows.filter((_row, place) => place !== index)))
    const next = list.current?.children[Math.min(index, rows.length - 2)]
    const button = next?.querySelector<HTMLElement>('[aria-label^="Remove"]')
    if (button) button.focus()
    else onEmpty()
  }
  return (
    <ul ref={list} aria-label="Slots" className="grid gap-2">
      {rows.map(({ id, slot }, index) => (
        <li
          key={id}
          style={drag?.from === index ? { transform: `translateY(${drag.y - drag.startY}px)` } : undefined}
          className={classNames(
            'relative rounded-md border border-line/70 bg-raised/60',
            drag?.from === index && 'z-10 shadow-lift',
            drag && drag.from !== index && drag.to === index && 'border-accent',
          )}
        >
          <SlotRow
            slot={slot}
            place={index + 1}
            count={rows.length}
            sources={sources}
            handle={handle(index)}
            onChange={(next) => onChange(rows.map((row) => (row.id === id ? { id, slot: next } : row)))}
            onMove={(by) => move(index, index + by)}
            onRemove={() => remove(index)}
          />
        </li>
      ))}
    </ul>
  )
}
