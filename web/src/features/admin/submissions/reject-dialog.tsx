import type { Submission } from '@looptide/contracts/http/submissions'
import { type SubmitEvent, useState } from 'react'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { videoCountText } from '../shared/count-text.ts'
import { rejectSubmissions } from './api.ts'
import { SubmissionNames } from './submission-names.tsx'
import { useDecision } from './use-decision.ts'

/** Longest reason that the server accepts. */
const MAX_REASON = 500

/** Rejects videos with a reason, which the submitters can read. */
export function RejectDialog(props: {
  submissions: readonly Submission[]
  onClose: () => void
  onDecided: () => void
}) {
  const { submissions } = props
  const [reason, setReason] = useState('')
  const { isBusy, decide } = useDecision(props.onDecided)
  const isBlank = reason.trim() === ''

  const reject = (event: SubmitEvent) => {
    event.preventDefault()
    if (isBlank) return
    decide(
      () => rejectSubmissions({ ids: submissions.map(({ video }) => video.id), reason: reason.trim() }),
      {
        done: (count) => ({
          title: count === 1 ? 'Video rejected' : 'Videos rejected',
          description: `${videoCountText(count)} rejected. The submitters can read the reason.`,
        }),
        failed: { title: 'Error rejecting videos', text: 'Failed to reject the videos. Please try again.' },
      },
    )
  }

  return (
    <Dialog
      title={submissions.length === 1 ? 'Reject this video?' : `Reject ${submissions.length} videos?`}
      isOpen
      onClose={props.onClose}
      width="narrow"
    >
      <form onSubmit={reject} className="grid gap-5">
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
        <div className="flex flex-wrap justify-end gap-2">
          <Button onClick={props.onClose}>Cancel</Button>
          <Button type="submit" tone="danger" disabled={isBusy || isBlank}>
            {isBusy ? 'Rejecting...' : 'Reject'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
