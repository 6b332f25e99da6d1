import type { Block, Weekday } from '@looptide/contracts/schedule'
import { useState } from 'react'
import { Dialog } from '../../../ui/dialog.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { DaysField } from '../fields/days-field.tsx'
import { replacedByCopy } from '../model/block-edits.ts'
import { dayName, daysText, WEEKEND, WORKDAYS } from '../model/times.ts'

/** Asks to which days a day is copied; the rest of the working week, or the weekend, is chosen at first. */
export function CopyDayDialog(props: {
  blocks: readonly Block[]
  day: Weekday
  onCopy: (days: readonly Weekday[]) => void
  onClose: () => void
}) {
  const { day, onCopy, onClose } = props
  const group = WORKDAYS.includes(day) ? WORKDAYS : WEEKEND
  const [days, setDays] = useState<readonly Weekday[]>(group.filter((one) => one !== day))
  const replaced = replacedByCopy(props.blocks, day, days)
  const form = useForm({
    send: async () => {
      onCopy(days)
      toast({ title: `${dayName(day)} copied`, description: daysText(days), tone: 'success' })
      onClose()
    },
  })
  return (
    <Dialog title={`Copy ${dayName(day)}`} isOpen onClose={onClose} width="narrow">
      <Form form={form}>
        <p className="text-sm text-muted">
          The blocks that start on the chosen days are replaced with those of {dayName(day)}.
        </p>
        <DaysField label="To" value={days} disabled={day} onChange={setDays} />
        {replaced.length > 0 && (
          <div role="status" className="grid gap-1 text-sm">
            <p className="font-semibold">Removed from these days:</p>
            <ul className="list-disc pl-5">
              {replaced.map(({ block, days: lost }) => (
                <li key={block.id} className="wrap-anywhere">
                  {block.name} ({daysText(lost)})
                </li>
              ))}
            </ul>
          </div>
        )}
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} disabled={days.length === 0}>
            Copy
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
