import { useRef } from 'react'
import { useSession } from '../../lib/session/session.tsx'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import { countsVotes, useRequestChannels, useRequestSettings, useRequests } from './api.ts'
import { OwnRequests } from './own-requests.tsx'
import { RequestRow } from './request-row.tsx'
import { choiceText } from './request-texts.ts'
import { VoteButton } from './vote-button.tsx'

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
