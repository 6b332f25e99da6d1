import type { Submission } from '@looptide/contracts/http/submissions'
import { useState } from 'react'
import { api } from '../../lib/clients.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { TextArea } from '../../ui/field.tsx'
import { DialogActions, Form, SubmitButton } from '../../ui/form.tsx'
import { videoCountText } from '../admin/video-texts.ts'
import { SubmissionNames } from './submission-names.tsx'
import { useDecision } from './use-decision.ts'

/** Maximum length of a reason on the server. */
const MAX_REASON = 500

/** Rejects videos with a reason, which the submitters can read. */
export function RejectDialog(props: {
  submissions: readonly Submission[]
  onClose: () => void
  onDecided: () => void
}) {
  const { submissions } = props
  const [reason, setReason] = useState('')
  const form = useDecision({
    decide: () =>
      api.call('POST /api/submissions/reject', {
        body: { ids: submissions.map(({ video }) => video.id), reason: reason.trim() },
      }),
    done: (count) => ({
      title: count === 1 ? 'Video rejected' : 'Videos rejected',
      description: `${videoCountText(count)} rejected. The submitters can read the reason.`,
    }),
    failed: { title: 'Error rejecting videos', text: 'Failed to reject the videos. Please try again.' },
    onDecided: props.onDecided,
  })

  return (
    <Dialog
      title={submissions.length === 1 ? 'Reject this video?' : `Reject ${submissions.length} videos?`}
      isOpen
      onClose={props.onClose}
      width="narrow"
    >
      <Form form={form} className="grid gap-5">
        <SubmissionNames submissions={submissions} />
        <TextArea
          label="Reason"
          hint="The submitters can read it."
          rows={3}
          required
          maxLength={MAX_REASON}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <DialogActions onCancel={props.onClose}>
          <SubmitButton form={form} tone="danger" busyLabel="Rejecting..." disabled={reason.trim() === ''}>
            Reject
          </SubmitButton>
        </DialogActions>
      </Form>
    </Dialog>
  )
}
