import { useState } from 'react'
import { showFailure } from '../../../lib/failures.ts'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../../ui/form.tsx'
import { toast } from '../../../ui/toast.ts'
import { useForm } from '../../../ui/use-form.ts'
import { scheduleActions } from '../api.ts'

const MAX_REASON = 500

/** Sends the submitted draft back to the person who has submitted it, with a reason. */
export function SendBackDialog(props: { channel: { id: string; name: string }; onClose: () => void }) {
  const { channel, onClose } = props
  const [reason, setReason] = useState('')
  const form = useForm({
    send: async () => {
      await scheduleActions.endSubmission(channel.id, reason)
      toast({ title: 'Draft sent back', tone: 'success' })
      onClose()
    },
    onFailure: (failure) =>
      showFailure(failure, { title: 'Failed to send the draft back', text: 'Please try again.' }),
  })
  return (
    <Dialog title={`Send the schedule of ${channel.name} back?`} isOpen onClose={onClose} width="narrow">
      <Form form={form} className="grid gap-5">
        <TextArea
          label="Reason (optional)"
          hint="Everyone who edits the schedule can read it."
          rows={3}
          maxLength={MAX_REASON}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} busyLabel="Sending back...">
            Send back
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
