import type { Channel } from '@looptide/contracts/http/channels'
import type { ViewerRequest } from '@looptide/contracts/http/requests'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { api } from '../../lib/clients.ts'
import { countText } from '../../lib/count-text.ts'
import { useAction } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ListPage } from '../../ui/list-page.tsx'
import { EmptyNotice } from '../../ui/notice.tsx'
import { Switch } from '../../ui/switch.tsx'
import { toast } from '../../ui/toast.ts'
import { countsVotes, useRequestSettings, useRequestsAsStaff } from './api.ts'
import { RefuseDialog } from './refuse-dialog.tsx'
import { RequestExclusions } from './request-exclusions.tsx'
import { RequestRow } from './request-row.tsx'
import { choiceText } from './request-texts.ts'

/** The requests of a channel, for staff: open or close them, pin and refuse those that wait, exclude videos and artists. */
export function ChannelRequests({ channel }: { channel: Channel }) {
  if (!channel.takesRequests) {
    return (
      <EmptyNotice title="This channel plays no requests">
        <p>
          Add the source “Requests by turns” or “Requests by votes” to a clock and publish the schedule, or
          without a schedule let every n-th programme be a request. Then viewers can request videos.
        </p>
        <Link to={paths.channel(channel.id, 'schedule')} className={buttonClass()}>
          Schedule
        </Link>
        <Link to={paths.channel(channel.id, 'settings')} className={buttonClass()}>
          Settings
        </Link>
      </EmptyNotice>
    )
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-8 xl:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
      <OpenSwitch channelId={channel.id} />
      <WaitingRequests channel={channel} />
      <RequestExclusions channelId={channel.id} />
    </div>
  )
}

function OpenSwitch({ channelId }: { channelId: string }) {
  const { data, mutate } = useRequestSettings(channelId)
  const { run } = useAction()
  if (data === undefined) return null
  const change = (isOpen: boolean) =>
    run(
      () =>
        mutate(
          api.call('PATCH /api/channels/:id/requests/settings', {
            params: { id: channelId },
            body: { isOpen },
          }),
          { revalidate: false },
        ),
      { title: 'Not changed', text: 'The setting was not saved. Please try again.' },
    )
  return (
    <div className="grid gap-1 xl:col-span-2">
      <Switch label="Accept new requests" isOn={data.isOpen} onChange={(isOpen) => void change(isOpen)} />
      {!data.isOpen && <p className="text-sm text-muted">Requests that wait stay, and can be on the air.</p>}
    </div>
  )
}

function WaitingRequests({ channel }: { channel: Channel }) {
  const list = useRequestsAsStaff(channel.id)
  const [refused, setRefused] = useState<ViewerRequest>()
  const { isBusy, run } = useAction()
  const pin = (request: ViewerRequest) =>
    run(
      async () => {
        const input = { params: { requestId: request.id } }
        await (request.isPinned
          ? api.call('DELETE /api/requests/:requestId/pin', input)
          : api.call('POST /api/requests/:requestId/pin', input))
        list.reload()
      },
      { title: 'Not changed', text: 'The request was not changed. Please try again.' },
    )
  return (
    <section aria-labelledby="waiting-requests" className="grid gap-2">
      <h3 id="waiting-requests" className="text-lg font-semibold">
        Waiting
      </h3>
      <p className="text-sm text-muted">{choiceText(channel)}</p>
      <ListPage
        list={list}
        loading="Loading requests"
        skeleton={{ count: 4, className: 'h-20' }}
        failed="Failed to fetch requests"
        empty={<EmptyNotice title="No requests are waiting">New ones appear here at once.</EmptyNotice>}
      >
        {(requests) => (
          <ul aria-labelledby="waiting-requests" className="grid divide-y divide-line/60">
            {requests.map((request) => (
              <RequestRow key={request.id} request={request}>
                {countsVotes(channel) && (
                  <span className="self-center px-2 text-sm text-muted tabular-nums">
                    {countText(request.votes, 'vote')}
                  </span>
                )}
                <Button
                  aria-pressed={request.isPinned}
                  aria-label={`${request.isPinned ? 'Pinned' : 'Pin'} ${request.video.title}`}
                  title="Before all others, whatever the votes"
                  isBusy={isBusy}
                  onClick={() => void pin(request)}
                >
                  {request.isPinned ? 'Pinned' : 'Pin'}
                </Button>
                <Button aria-label={`Refuse ${request.video.title}`} onClick={() => setRefused(request)}>
                  Refuse
                </Button>
              </RequestRow>
            ))}
          </ul>
        )}
      </ListPage>
      {refused && (
        <RefuseDialog
          request={refused}
          onClose={() => setRefused(undefined)}
          onRefused={() => {
            toast({ title: 'Request refused', description: 'Its requester is notified of the reason.' })
            setRefused(undefined)
            list.reload()
          }}
        />
      )}
    </section>
  )
}
