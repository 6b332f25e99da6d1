import type { Override, ScheduleDocument } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { SelectField } from '../../../ui/select-field.tsx'
import { useForm } from '../../../ui/use-form.ts'
import { EditActions } from '../fields/edit-actions.tsx'
import { ProblemLines } from '../fields/problem-lines.tsx'
import { blocksOfDay, weekdayOfDate } from '../model/specials.ts'
import { WEEKDAYS } from '../model/times.ts'
import { addDays, daysBetween } from '../model/zoned-time.ts'

const EMPTY = ''
/** The name of a new holiday until another one is typed. */
const NEW_NAME = 'Holiday'

/** Creates or edits a holiday: dates on which its own blocks replace those of the week. */
export function HolidayDialog(props: {
  document: ScheduleDocument
  holiday: Override
  isNew: boolean
  problems: readonly string[]
  onSave: (holiday: Override) => void
  onRemove: () => void
  onClose: () => void
}) {
  const { document, holiday, isNew, onClose } = props
  const [name, setName] = useState(holiday.name ?? (isNew ? NEW_NAME : ''))
  const [from, setFrom] = useState(holiday.from)
  const [to, setTo] = useState(holiday.to)
  const [copied, setCopied] = useState<string>(weekdayOfDate(holiday.from) ?? EMPTY)
  const form = useForm({
    check: () => {
      if (name.trim() === '') return { field: 'name', description: 'Enter a name' }
      if (from === '') return { field: 'from', description: 'Enter a date' }
      return to < from ? { field: 'to', description: 'The last day is before the first one' } : undefined
    },
    send: async () => {
      const day = WEEKDAYS.find(({ id }) => id === copied)?.id
      const blocks = !isNew ? holiday.blocks : day === undefined ? [] : blocksOfDay(document.blocks, day)
      props.onSave({ id: holiday.id, name: name.trim(), from, to, blocks })
      onClose()
    },
  })
  return (
    <Dialog
      title={isNew ? 'New holiday' : `Edit ${holiday.name ?? holiday.id}`}
      isOpen
      onClose={onClose}
      width="narrow"
    >
      <Form form={form}>
        <ProblemLines problems={props.problems} />
        <TextField
          label="Name"
          required
          maxLength={80}
          autoComplete="off"
          {...form.field('name')}
          value={name}
          // What is typed replaces the proposed name.
          onFocus={(event) => isNew && event.target.select()}
          onChange={(event) => setName(event.target.value)}
        />
        <div className="grid items-start gap-4 sm:grid-cols-2">
          <TextField
            label="First day"
            type="date"
            {...form.field('from')}
            value={from}
            onChange={({ target: { value } }) => {
              setFrom(value)
              // The holiday keeps its length.
              if (value !== '') setTo(addDays(value, daysBetween(from, to)))
            }}
          />
          <TextField
            label="Last day"
            type="date"
            {...form.field('to')}
            value={to}
            onChange={(event) => setTo(event.target.value)}
          />
        </div>
        {isNew && (
          <SelectField
            label="Start with"
            choices={[
              ...WEEKDAYS.map(({ id, name: day }) => ({
                value: id as string,
                label: `Blocks of ${day}`,
              })),
              { value: EMPTY, label: 'No blocks: default source all day' },
            ]}
            value={copied}
            onChange={setCopied}
          />
        )}
        <EditActions onRemove={isNew ? undefined : props.onRemove} onClose={onClose}>
          <SubmitButton form={form}>{isNew ? 'Add holiday' : 'Save holiday'}</SubmitButton>
        </EditActions>
      </Form>
    </Dialog>
  )
}
