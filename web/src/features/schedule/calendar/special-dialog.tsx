import type { ScheduleDocument, Special } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { EditDialog } from '../../../ui/edit-dialog.tsx'
import { Form, SubmitButton } from '../../../ui/form.tsx'
import { useForm } from '../../../ui/use-form.ts'
import { NameField, ProgrammeFields, programmeOf, valuesOf } from '../blocks/programme-fields.tsx'
import { EditActions } from '../fields/edit-actions.tsx'
import { NumberField } from '../fields/number-field.tsx'
import { ProblemLines } from '../fields/problem-lines.tsx'
import { TimeField } from '../fields/time-field.tsx'
import { dateOf, timeOf } from '../model/specials.ts'

const MINUTE_MS = 60_000
const MAX_MINUTES = 7 * 1440

/** Creates, edits or moves a special: one block at one local time, once. */
export function SpecialDialog(props: {
  document: ScheduleDocument
  special: Special
  isNew: boolean
  problems: readonly string[]
  onSave: (special: Special) => void
  onRemove: () => void
  onClose: () => void
}) {
  const { document, special, isNew, onClose } = props
  const [values, setValues] = useState(() => valuesOf(special))
  const [date, setDate] = useState(dateOf(special))
  const [time, setTime] = useState(timeOf(special))
  const [minutes, setMinutes] = useState<number | undefined>(special.durationMs / MINUTE_MS)
  const form = useForm({
    check: () => {
      if (values.name.trim() === '') return { field: 'name', description: 'Enter a name' }
      if (date === '') return { field: 'date', description: 'Enter a date' }
      if (time === '') return { field: 'time', description: 'Enter a time' }
      return minutes === undefined ? { field: 'minutes', description: 'Enter the length' } : undefined
    },
    send: async () => {
      const durationMs = (minutes ?? 0) * MINUTE_MS
      props.onSave({ id: special.id, ...programmeOf(values), at: `${date}T${time}`, durationMs })
      onClose()
    },
  })
  return (
    <EditDialog
      title={isNew ? 'New special' : `Edit ${special.name}`}
      before={[valuesOf(special), dateOf(special), timeOf(special), special.durationMs / MINUTE_MS]}
      now={[values, date, time, minutes]}
      isOpen
      onClose={onClose}
    >
      <Form form={form}>
        <ProblemLines problems={props.problems} />
        <NameField form={form} values={values} onChange={setValues} />
        <div className="grid items-start gap-4 sm:grid-cols-3">
          <TimeField label="Date" type="date" field={form.field('date')} value={date} onChange={setDate} />
          <TimeField label="Time" type="time" field={form.field('time')} value={time} onChange={setTime} />
          <NumberField
            label="Minutes"
            min={1}
            max={MAX_MINUTES}
            step={1}
            {...form.field('minutes')}
            value={minutes}
            onChange={setMinutes}
          />
        </div>
        <ProgrammeFields form={form} document={document} values={values} onChange={setValues} />
        <EditActions onRemove={isNew ? undefined : props.onRemove} onClose={onClose}>
          <SubmitButton form={form}>{isNew ? 'Add special' : 'Save special'}</SubmitButton>
        </EditActions>
      </Form>
    </EditDialog>
  )
}
