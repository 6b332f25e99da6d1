import type { ViewerRequest } from '@looptide/contracts/http/requests'
import { useRef } from 'react'
import { api, serverClock } from '../../lib/clients.ts'
import { useAction } from '../../lib/failures.ts'
import { useSession } from '../../lib/session/session.tsx'
import { useAskToSignIn } from '../../lib/session/use-ask-to-sign-in.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import { toast } from '../../ui/toast.ts'
import { countsVotes, useRequestChannels, useRequestSettings, useRequests } from './api.ts'
import { OwnRequests } from './own-requests.tsx'
import { RequestRow } from './request-row.tsx'
import { choiceText, refusalText } from './request-texts.ts'

/** A dialog with the requests that wait on a channel: viewers vote for them, and withdraw their own. */
export function RequestsPanel(props: {
  channelId: string
  /** Opens the search of the live page. */
  onSearch: () => void
  onClose: () => void
}) {
  const { channelId, onSearch, onClose } = props
  const channel = useRequestChannels().find(({ id }) => id === channelId)
  const channelName = channel?.name
  const list = useRequests(channelId)
  const { userId } = useSession()
  const isClosed = useRequestSettings(channelId).data?.isOpen === false
  // Else Enter would withdraw the newest own request.
  const first = useRef<HTMLParagraphElement>(null)
  return (
    <Dialog title="Requests" isOpen onClose={onClose} width="medium" initialFocus={first}>
      <div className="grid gap-4">
        <p ref={first} tabIndex={-1} className="text-sm text-muted outline-none">
          {isClosed ? (
            <>
              <bdi>{channelName}</bdi> accepts no new requests at present.
            </>
          ) : (
            <>
              What viewers have requested on <bdi>{channelName}</bdi>, in the order in which it will be on.
            </>
          )}{' '}
          {channel && choiceText(channel)}
        </p>
        {userId !== undefined && <OwnRequests channelId={channelId} onWithdrawn={list.reload} />}
        <h3 id="waiting-requests" className="font-semibold">
          All requests that wait
        </h3>
        <ListPage
          list={list}
          loading="Loading requests"
          skeleton={{ count: 4, className: 'h-20' }}
          failed="The requests could not be loaded."
          empty={
            <EmptyNotice title="No requests are waiting">
              {!isClosed && (
                <>
                  <p>Find a video, open it, and press Request.</p>
                  <Button icon="search" onClick={onSearch}>
                    Search Videos
                  </Button>
                </>
              )}
            </EmptyNotice>
          }
        >
          {(requests) => (
            <ul aria-labelledby="waiting-requests" className="grid divide-y divide-line/60">
              {requests.map((request) => (
                <RequestRow key={request.id} request={request}>
                  {channel && countsVotes(channel) && (
                    <VoteButton request={request} onVoted={(vote) => list.replace(request.id, vote)} />
                  )}
                </RequestRow>
              ))}
            </ul>
          )}
        </ListPage>
      </div>
    </Dialog>
  )
}

/** Votes for a request, or takes the vote back. */
function VoteButton(props: {
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
