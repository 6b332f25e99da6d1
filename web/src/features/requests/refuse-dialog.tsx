import type { ViewerRequest } from '@looptide/contracts/http/requests'
import { useState } from 'react'
import { api } from '../../lib/clients.ts'
import { showFailure } from '../../lib/failures.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { useForm } from '../../ui/use-form.ts'

/** Maximum length of a reason on the server. */
const MAX_REASON = 200

/** Refuses a request with a reason. */
export function RefuseDialog(props: { request: ViewerRequest; onClose: () => void; onRefused: () => void }) {
  const { request, onClose, onRefused } = props
  const [reason, setReason] = useState('')
  const form = useForm({
    send: async () => {
      const input = { params: { requestId: request.id }, body: { reason: reason.trim() } }
      await api.call('POST /api/requests/:requestId/refuse', input)
      onRefused()
    },
    onFailure: (failure) =>
      showFailure(failure, {
        title: 'Not refused',
        text: 'The request still waits. Please try again.',
      }),
  })
  return (
    <Dialog title="Refuse this request?" isOpen onClose={onClose} width="narrow">
      <Form form={form} className="grid gap-5">
        <p className="line-clamp-2 font-medium wrap-anywhere">
          <bdi>{request.video.title}</bdi>
        </p>
        <TextArea
          label="Reason"
          hint="The viewer who requested it reads it. It is in the audit log, too."
          rows={3}
          required
          maxLength={MAX_REASON}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <DialogActions onCancel={onClose}>
          <SubmitButton form={form} tone="danger" busyLabel="Refusing..." disabled={reason.trim() === ''}>
            Refuse
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
