import type { Channel } from '@looptide/contracts/http/channels'
import type { Takeover } from '@looptide/contracts/http/takeovers'
import { Link, useSearchParams } from 'react-router-dom'
import { api, serverClock } from '../../lib/clients.ts'
import { useAction } from '../../lib/failures.ts'
import { paths } from '../../lib/paths.ts'
import { clockTime } from '../../lib/time/date-locale.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { EmptyNotice, ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { toast } from '../../ui/toast.ts'
import { useConfirm } from '../../ui/use-confirm.tsx'
import { ModeratorPage } from '../admin/admin-gate.tsx'
import { useChannelList, useTakeover } from './api.ts'
import { TakeoverDialog } from './takeover-dialog.tsx'

/** Puts videos or a live stream on a channel immediately. `?channel=` opens the form of one channel. */
export function TakeoverPage() {
  return (
    <ModeratorPage
      title="Live Takeover"
      path={paths.takeover()}
      permission="takeovers:run"
      refusal="Only moderators can take over a channel."
    >
      <p className="max-w-prose text-muted">
        Put videos or a live stream on a channel immediately. When the takeover ends, the channel returns to
        its programme.
      </p>
      <Channels />
    </ModeratorPage>
  )
}

function Channels() {
  const { data: channels, error, mutate } = useChannelList()
  const [parameters, setParameters] = useSearchParams()
  const opened = parameters.get('channel')
  const open = (channelId: string | null) =>
    setParameters(channelId === null ? {} : { channel: channelId }, { replace: true })
  if (!channels) {
    if (error) return <ErrorNotice text="Failed to fetch channels" onRetry={() => void mutate()} />
    return (
      <div role="status" aria-label="Loading channels">
        <Skeleton className="h-40" />
      </div>
    )
  }
  if (channels.length === 0) return <EmptyNotice title="No channels yet" />
  return (
    <ul aria-label="Channels" className="divide-y divide-line rounded-lg border border-line/70 bg-panel">
      {channels.map((channel) => (
        <li key={channel.id}>
          <ChannelTakeover
            channel={channel}
            isOpen={channel.id === opened}
            onOpen={() => open(channel.id)}
            onClose={() => open(null)}
          />
        </li>
      ))}
    </ul>
  )
}

const RETURNS = {
  join: 'The channel joins the programme that would be on then.',
  continue: 'The channel continues the interrupted video where it stopped.',
} as const

/** One channel: what has taken it over, and the buttons to begin and end a takeover. */
function ChannelTakeover(props: {
  channel: Channel
  isOpen: boolean
  onOpen: () => void
  onClose: () => void
}) {
  const { channel, isOpen, onOpen, onClose } = props
  const params = { id: channel.id }
  const { data, mutate } = useTakeover(channel.id)
  const takeover = data?.takeover
  const { isBusy, run } = useAction()
  const { confirm, confirmation } = useConfirm()
  const isOffAir = channel.status !== 'live'
  const stop = async (undo: boolean) => {
    const title = undo ? 'Undo Failed' : 'Failed to end the takeover'
    // With `undo`, the programme continues as if it had not been interrupted.
    const end = () => api.call('DELETE /api/channels/:id/takeover', { params, query: { undo } })
    const isDone = await run(end, { title, text: 'Please try again.' })
    if (isDone) toast({ title: undo ? 'Takeover Undone' : 'Takeover Ended', tone: 'success' })
    await mutate()
  }
  const started = async (now: Takeover) => {
    onClose()
    toast({
      title: 'On the Air',
      description: `${channel.name} shows “${now.title}”.`,
      tone: 'success',
      durationMs: Math.max(0, now.undoableUntilMs - serverClock.nowMs()),
      action: { label: 'Undo', onPress: () => void stop(true) },
    })
    await mutate({ takeover: now }, { revalidate: false })
  }
  return (
    <article aria-label={channel.name} className="flex flex-wrap items-center gap-x-4 gap-y-3 p-4">
      <div className="min-w-0 flex-1 basis-56">
        <h2 className="truncate font-medium">{channel.name}</h2>
        <p className="text-sm text-muted" aria-live="polite">
          {takeover ? takeoverText(takeover) : isOffAir ? 'Off the air' : 'Its own programme is on.'}
        </p>
      </div>
      <Link to={paths.live({ channel: channel.id })} className={buttonClass('plain')}>
        Watch
      </Link>
      {takeover ? (
        <Button
          tone="primary"
          isBusy={isBusy}
          onClick={() =>
            confirm({
              title: `End “${takeover.title}” on ${channel.name}?`,
              confirmLabel: 'Yes, end it',
              text: <p>{RETURNS[takeover.returnPolicy]}</p>,
              onConfirm: () => stop(false),
            })
          }
        >
          End takeover
        </Button>
      ) : (
        <Button disabled={isOffAir || takeover === undefined} onClick={onOpen}>
          Take over...
        </Button>
      )}
      {confirmation}
      {isOpen && takeover === null && !isOffAir && (
        <TakeoverDialog
          channelName={channel.name}
          start={(body) => api.call('POST /api/channels/:id/takeover', { params, body })}
          onStarted={(now) => void started(now)}
          onClose={onClose}
        />
      )}
    </article>
  )
}

const takeoverText = ({ title, endsAtMs }: Takeover): string =>
  `“${title}” is on, ${endsAtMs === null ? 'until you end it' : `until ${clockTime(endsAtMs)}`}.`
