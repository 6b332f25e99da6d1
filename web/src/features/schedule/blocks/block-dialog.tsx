import type { Block, OverrideBlock, ScheduleDocument, Weekday } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { EditDialog } from '../../../ui/edit-dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { useForm } from '../../../ui/use-form.ts'
import { DaysField } from '../fields/days-field.tsx'
import { EditActions } from '../fields/edit-actions.tsx'
import { ProblemLines } from '../fields/problem-lines.tsx'
import { NameField, ProgrammeFields, programmeOf, valuesOf } from './programme-fields.tsx'

/**
 * Creates or edits a block. Blocks of a holiday have no days: they are on each of its dates. `isNew` says that the block
 * is not in the document yet.
 */
export function BlockDialog<T extends Block | OverrideBlock>(props: {
  document: ScheduleDocument
  block: T
  isNew: boolean
  /** Messages of the problems that the station has found in the block. */
  problems: readonly string[]
  onSave: (block: T) => void
  onRemove: () => void
  onDuplicate?: (() => void) | undefined
  onClose: () => void
}) {
  const { document, block, isNew, onClose } = props
  const [values, setValues] = useState(() => valuesOf(block))
  const timesBefore = { from: block.from, to: block.to === '24:00' ? '00:00' : block.to }
  const [times, setTimes] = useState(timesBefore)
  const [days, setDays] = useState<readonly Weekday[] | undefined>(block.days)
  const form = useForm({
    check: () => {
      if (values.name.trim() === '') return { field: 'name', description: 'Enter a name' }
      if (times.from === '') return { field: 'from', description: 'Enter a time' }
      if (times.to === '') return { field: 'to', description: 'Enter a time' }
      return days?.length === 0 ? { field: 'days', description: 'Choose at least one day' } : undefined
    },
    send: async () => {
      props.onSave({ id: block.id, ...programmeOf(values), ...times, ...(days && { days: [...days] }) } as T)
      onClose()
    },
  })
  const isOvernight = times.to !== '' && times.to <= times.from
  return (
    <EditDialog
      title={isNew ? 'New block' : `Edit ${block.name}`}
      before={[valuesOf(block), timesBefore, block.days]}
      now={[values, times, days]}
      isOpen
      onClose={onClose}
    >
      <Form form={form}>
        <ProblemLines problems={props.problems} />
        <NameField form={form} values={values} onChange={setValues} />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField
            label="From"
            type="time"
            {...form.field('from')}
            value={times.from}
            onChange={(event) => setTimes({ ...times, from: event.target.value })}
          />
          <TextField
            label="To"
            type="time"
            hint={isOvernight ? 'Ends on the next day.' : undefined}
            {...form.field('to')}
            value={times.to}
            onChange={(event) => setTimes({ ...times, to: event.target.value })}
          />
        </div>
        {days && <DaysField label="Days" value={days} error={form.field('days').error} onChange={setDays} />}
        <ProgrammeFields form={form} document={document} values={values} onChange={setValues} />
        <EditActions onRemove={isNew ? undefined : props.onRemove} onClose={onClose}>
          {props.onDuplicate && (
            <Button icon="copy" onClick={props.onDuplicate}>
              Duplicate
            </Button>
          )}
          <SubmitButton form={form}>{isNew ? 'Add block' : 'Save block'}</SubmitButton>
        </EditActions>
      </Form>
    </EditDialog>
  )
}
