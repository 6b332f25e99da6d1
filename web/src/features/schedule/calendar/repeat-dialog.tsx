import type { Special } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { Choice } from '../../../ui/choice.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextField } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { useForm } from '../../../ui/use-form.ts'
import { NumberField } from '../fields/number-field.tsx'
import { dateOf, weeklyAfter } from '../model/specials.ts'
import { addDays, dateText } from '../model/zoned-time.ts'

const MAX_WEEKS = 52

/** Copies a special to another date, or to the same weekday of the following weeks. */
export function RepeatDialog(props: {
  special: Special
  onRepeat: (dates: string[]) => void
  onClose: () => void
}) {
  const { special, onRepeat, onClose } = props
  const [kind, setKind] = useState<'weekly' | 'date'>('weekly')
  const [weeks, setWeeks] = useState<number | undefined>(1)
  const [date, setDate] = useState(addDays(dateOf(special), 7))
  const dates = kind === 'date' ? (date === '' ? [] : [date]) : weeklyAfter(special, Math.round(weeks ?? 0))
  const last = dates.at(-1)
  const form = useForm({
    send: async () => {
      onRepeat(dates)
      onClose()
    },
  })
  return (
    <Dialog title={`Repeat ${special.name}`} isOpen onClose={onClose} width="narrow">
      <Form form={form}>
        <Choice
          label="Repeat"
          isLabelHidden
          options={[
            { id: 'weekly', label: 'Every week' },
            { id: 'date', label: 'On a date' },
          ]}
          value={kind}
          onChange={setKind}
        />
        {kind === 'weekly' ? (
          <NumberField
            label="Number of weeks"
            min={1}
            max={MAX_WEEKS}
            step={1}
            value={weeks}
            onChange={setWeeks}
          />
        ) : (
          <TextField
            label="Date"
            type="date"
            value={date}
            onChange={(event) => setDate(event.target.value)}
          />
        )}
        {last && <p className="text-sm text-muted">Last on {dateText(last)}.</p>}
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} disabled={dates.length === 0}>
            Repeat
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
