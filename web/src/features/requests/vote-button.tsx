import type { ViewerRequest } from '@looptide/contracts/http/requests'
import { api, serverClock } from '../../lib/clients.ts'
import { useAction } from '../../lib/failures.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useAskToSignIn } from '../../lib/session/use-ask-to-sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { refusalText } from './request-texts.ts'

/** Votes for a request, or takes the vote back. */
export function VoteButton(props: {
  request: ViewerRequest
  onVoted: (vote: Pick<ViewerRequest, 'votes' | 'hasVoted'>) => void
}) {
  const { id, votes, hasVoted, video } = props.request
  const { status } = useSession()
  const askToSignIn = useAskToSignIn('Please sign in to vote')
  const { isBusy, run } = useAction()
  const vote = () =>
    run(
      async () => {
        const input = { params: { requestId: id } }
        try {
          props.onVoted(
            await (hasVoted
              ? api.call('DELETE /api/requests/:requestId/vote', input)
              : api.call('PUT /api/requests/:requestId/vote', input)),
          )
        } catch (failure) {
          const text = refusalText(failure, serverClock.nowMs())
          if (text === undefined) throw failure
          toast({ title: 'Not counted', description: text, tone: 'error' })
        }
      },
      { title: 'Not counted', text: 'Your vote did not arrive. Please try again.' },
    )
  return (
    <Button
      icon={hasVoted ? 'check' : 'up'}
      aria-pressed={hasVoted}
      isBusy={isBusy}
      className="tabular-nums"
      onClick={() => (status === 'signed-in' ? void vote() : askToSignIn())}
    >
      {hasVoted ? 'Voted' : 'Vote'}
      <span className="sr-only">for {video.title},</span>
      <span>
        {votes}
        <span className="sr-only">{votes === 1 ? ' vote' : ' votes'}</span>
      </span>
    </Button>
  )
}
