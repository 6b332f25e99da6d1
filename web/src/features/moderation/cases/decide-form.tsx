import { CASE_TEXT_MAX, type ChatCaseDetails, type DecideCaseBody } from '@looptide/contracts/http/chat-cases'
import { useState } from 'react'
import { api, serverClock } from '../../../lib/clients.ts'
import { useAction } from '../../../lib/failures.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { Button } from '../../../ui/button.tsx'
import { TextArea } from '../../../ui/field.tsx'
import { toast } from '../../../ui/toast.ts'
import { timeOut } from '../../chat/api.ts'

type Decision = DecideCaseBody['decision']

/** How long an author is timed out from here, in ms. Longer ones are given in the chat. */
const TIME_OUT_MS = 86_400_000

/** The decision about a case, or about its appeal, with a note for the author. */
export function DecideForm({ details, onDecided }: { details: ChatCaseDetails; onDecided: () => void }) {
  const { userId } = useSession()
  const [reason, setReason] = useState('')
  const { isBusy, run } = useAction()
  const decide = (decision: Decision) =>
    void run(
      async () => {
        if (decision === 'restrict')
          await timeOut(details.authorId, {
            durationMs: TIME_OUT_MS,
            nowMs: serverClock.nowMs(),
            replaces: null,
          })
        await api.call('POST /api/chat/cases/:id/decision', {
          params: { id: details.id },
          body: { decision, ...(reason.trim() !== '' && { reason: reason.trim() }) },
        })
        toast({ title: 'Decided', description: 'Author and reporters are notified.', tone: 'success' })
        onDecided()
      },
      { title: 'Not decided', text: 'The decision could not be saved.' },
    )
  const isAppeal = details.appeal !== null
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
          A reversed decision stays in the history of the author, marked as reversed. A removed message does
          not return, and an admin lifts a time-out that still runs in User Management.
        </p>
      )}
    </section>
  )
}
