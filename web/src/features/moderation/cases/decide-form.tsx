import {
  CASE_TEXT_MAX,
  type ChatCaseDetails,
  type DecideCaseBody,
  type Unreversed,
} from '@looptide/contracts/http/chat-cases'
import { useState } from 'react'
import { api } from '../../../lib/clients.ts'
import { useAction } from '../../../lib/failures.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'

type Decision = DecideCaseBody['decision']

/** How long a toast with several sentences is shown, in ms. */
const LONG_TOAST_MS = 12_000

/** What a reversed decision leaves, because others have done it. */
const UNREVERSED_LABELS: Record<Unreversed, string> = {
  message_removed: 'Another moderator has removed the message: it stays removed.',
  message_deleted: 'The message is not stored any longer.',
  ban: 'Another ban of the author from the chat stays in force.',
}

/** Whom the station notifies of a decision. */
function notified(decision: Decision): string {
  if (decision === 'none') return 'The reporters are notified.'
  return decision === 'uphold' || decision === 'reverse'
    ? 'The author is notified.'
    : 'Author and reporters are notified.'
}

/** The decision about a case, or about its appeal, with a note for the author. */
export function DecideForm({ details, onDecided }: { details: ChatCaseDetails; onDecided: () => void }) {
  const { userId } = useSession()
  const [reason, setReason] = useState('')
  const { isBusy, run } = useAction()
  const isAppeal = details.appeal !== null
  const decide = (decision: Decision) =>
    void run(
      async () => {
        const { unreversed } = await api.call('POST /api/chat/cases/:id/decision', {
          params: { id: details.id },
          body: { decision, ...(reason.trim() !== '' && { reason: reason.trim() }) },
        })
        const left = unreversed.map((what) => UNREVERSED_LABELS[what])
        toast({
          title: 'Decided',
          description: [notified(decision), ...left].join(' '),
          ...(left.length === 0 ? { tone: 'success' } : { durationMs: LONG_TOAST_MS }),
        })
        onDecided()
      },
      { title: 'Not decided', text: 'The decision could not be saved.' },
    )
  return (
    <section aria-label="Decision" className="grid gap-3 border-t border-line pt-4">
      <TextArea
        label="Note for the author (optional)"
        hint="The author can read it with the decision."
        rows={2}
        maxLength={CASE_TEXT_MAX}
        dir="auto"
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
      {isAppeal && details.decidedBy === userId && (
        <p className="font-medium">
          You made this decision. Leave the appeal to another moderator if you can.
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {isAppeal ? (
          <>
            <Button isBusy={isBusy} onClick={() => decide('uphold')}>
              Keep decision
            </Button>
            <Button tone="primary" isBusy={isBusy} onClick={() => decide('reverse')}>
              Reverse decision
            </Button>
          </>
        ) : (
          <>
            <Button isBusy={isBusy} onClick={() => decide('none')}>
              No action
            </Button>
            <Button tone="danger" icon="remove" isBusy={isBusy} onClick={() => decide('remove')}>
              Remove message
            </Button>
            {details.mayTimeOut && (
              <Button tone="danger" icon="clock" isBusy={isBusy} onClick={() => decide('restrict')}>
                Remove, and time out for a day
              </Button>
            )}
          </>
        )}
      </div>
      {isAppeal && (
        <p className="text-muted">
          Reversing shows the message again{details.decision === 'restrict' && ', and ends the time-out'}.
          What other moderators have done stays. The decision stays in the history of the author, marked as
          reversed.
        </p>
      )}
    </section>
  )
}
