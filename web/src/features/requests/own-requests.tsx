import { MAX_WAITING_REQUESTS, type OwnRequest } from '@looptide/contracts/http/requests'
import { useActiveChannels } from '../../lib/api/use-active-channels.ts'
import { api, serverClock } from '../../lib/clients.ts'
import { countText } from '../../lib/count-text.ts'
import { failureText } from '../../lib/failures.ts'
import { ownStateText } from '../../lib/requests/request-times.ts'
import { Button } from '../../ui/button.tsx'
import { toast } from '../../ui/toast.ts'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { useOwnRequests } from './api.ts'

/** Requests that ended are shown for this time, in ms. */
const SHOWN_MS = 7 * 86_400_000

/** The viewer's own requests on all channels: what becomes of those that wait, and what has become of those of the last week. */
export function OwnRequests({ channelId, onWithdrawn }: { channelId: string; onWithdrawn: () => void }) {
  const { items, reload } = useOwnRequests(channelId)
  const channels = useActiveChannels().data
  const nowMs = serverClock.nowMs()
  const shown = items.filter(({ endedAt }) => endedAt === null || nowMs - Date.parse(endedAt) < SHOWN_MS)
  if (shown.length === 0) return null
  const waiting = shown.filter(({ endedAt }) => endedAt === null).length
  return (
    <section aria-labelledby="own-requests" className="grid gap-1">
      <h3 id="own-requests" className="font-semibold">
        Your requests
      </h3>
      <p className="text-sm text-muted">
        {waiting} of {MAX_WAITING_REQUESTS} wait.
      </p>
      <ul aria-labelledby="own-requests" className="grid divide-y divide-line/60">
        {shown.map((request) => (
          <li key={request.id} className="flex flex-wrap items-center gap-3 py-2 text-sm">
            <p className="min-w-0 flex-1 basis-40 wrap-anywhere">
              <span className="font-medium">
                <bdi>{request.video.title}</bdi> – <bdi>{request.video.artistName}</bdi>
              </span>
              {request.channelId !== channelId && (
                <span className="text-muted">
                  {' on '}
                  <bdi>{channels?.find(({ id }) => id === request.channelId)?.name ?? 'another channel'}</bdi>
                </span>
              )}
              <span className="block text-muted tabular-nums">{ownStateText(request, nowMs)}</span>
            </p>
            {request.endedAt === null && (
              <WithdrawButton
                request={request}
                onWithdrawn={() => {
                  reload()
                  onWithdrawn()
                }}
              />
            )}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Withdraws an own request. It loses its place and its votes, so the viewer is asked if it has any. */
function WithdrawButton({ request, onWithdrawn }: { request: OwnRequest; onWithdrawn: () => void }) {
  const { id, votes, video } = request
  const { confirm, confirmation } = useConfirm()
  const withdraw = async () => {
    try {
      await api.call('DELETE /api/requests/:requestId', { params: { requestId: id } })
      toast({ title: 'Request withdrawn', description: `“${video.title}” does not wait any longer.` })
      onWithdrawn()
    } catch (failure) {
      toast({
        title: 'Not withdrawn',
        description: failureText(failure, 'The request still waits. Please try again.'),
        tone: 'error',
      })
    }
  }
  const press = () =>
    votes === 0
      ? void withdraw()
      : confirm({
          title: 'Withdraw this request?',
          confirmLabel: 'Withdraw',
          text: `It has ${countText(votes, 'vote')}, which it loses.`,
          onConfirm: withdraw,
        })
  return (
    <>
      <Button aria-label={`Withdraw ${video.title}`} onClick={press}>
        Withdraw
      </Button>
      {confirmation}
    </>
  )
}
