import type { Channel } from '@looptide/contracts/http/channels'
import type { ChannelLoop } from '@looptide/contracts/http/simulation'
import { Link } from 'react-router-dom'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ShortLoopWarning } from '../admin/short-loops.tsx'
import { StatusBadge } from '../admin/status-badge.tsx'
import { OnAir } from './on-air.tsx'
import { useStreamControls } from './use-stream-controls.tsx'

/** One channel of the 24/7 Stream Manager: status, controls and current programme. */
export function ChannelCard(props: {
  channel: Channel
  /** Undefined until it is loaded. */
  viewers: number | undefined
  /** End of the timeline, epoch ms. */
  plannedUntilMs: number | undefined
  /** The channel's loop, if it is shorter than an hour. */
  shortLoop: ChannelLoop | undefined
}) {
  const { channel, viewers, shortLoop } = props
  const controls = useStreamControls(channel, 'manager')
  const { isBusy } = controls
  const { may } = useSession()
  return (
    <article
      aria-label={channel.name}
      className="grid h-full content-start gap-4 rounded-lg border border-line/70 bg-panel p-4 sm:p-5"
    >
      <div className="flex items-center justify-between gap-4">
        <div className="min-w-0">
          <h3 className="truncate text-lg font-semibold">{channel.name}</h3>
          <p className="text-sm text-muted tabular-nums">
            {viewers === undefined ? '…' : viewers} watching
            {!channel.isActive && ' • inactive'}
          </p>
        </div>
        <StatusBadge status={controls.status} />
      </div>
      {may('channels:manage') && (
        <div className="flex flex-wrap gap-2">
          <Button tone="primary" isBusy={isBusy} onClick={controls.start}>
            {channel.status === 'live' ? 'Restart Stream' : 'Start 24/7 Stream'}
          </Button>
          <Button isBusy={isBusy} disabled={channel.status === 'idle'} onClick={controls.confirmStop}>
            Stop Stream
          </Button>
          <Button isBusy={isBusy} onClick={controls.confirmReset}>
            Reset Stream
          </Button>
        </div>
      )}
      {shortLoop && <ShortLoopWarning loop={shortLoop} />}
      <OnAir channelId={channel.id} plannedUntilMs={props.plannedUntilMs} />
      <div className="flex flex-wrap gap-2">
        <Link to={paths.history({ channel: channel.id })} className={buttonClass('plain', '-ml-4')}>
          Air log
        </Link>
        <Link to={paths.live({ channel: channel.id })} className={buttonClass('plain')}>
          Watch
        </Link>
        {may('takeovers:run') && (
          <Link to={paths.takeover({ channel: channel.id })} className={buttonClass('plain')}>
            Take over
          </Link>
        )}
      </div>
      {controls.confirmation}
    </article>
  )
}
