import type { CardProgramme, Channel, Programme } from '@looptide/contracts/http/channels'
import type { ChannelLoop } from '@looptide/contracts/http/loops'
import { formatDuration } from '@looptide/playhead/duration'
import { programmeAt } from '@looptide/playhead/programme'
import { useState } from 'react'
import { Link } from 'react-router-dom'
import { numberText } from '../../lib/count-text.ts'
import { paths } from '../../lib/paths.ts'
import { useSession } from '../../lib/session/session.tsx'
import { clockTime, dateLocale } from '../../lib/time/date-locale.ts'
import { useServerNow } from '../../lib/time/use-server-now.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { ShortLoopWarning } from '../admin/short-loops.tsx'
import { StatusBadge } from '../admin/status-badge.tsx'
import { LazyWhyDialog, WhyButton } from '../admin/why-button.tsx'
import { useOnAir } from './api.ts'
import { useStreamControls } from './use-stream-controls.tsx'

/** One channel of the 24/7 Stream Manager: status, controls and current programme. */
export function ChannelCard(props: {
  channel: Channel
  /** Undefined until it is loaded; null if it is shown elsewhere. */
  viewers: number | undefined | null
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
          <h3 className="text-lg font-semibold wrap-anywhere">{channel.name}</h3>
          <p className="text-sm text-muted tabular-nums">
            {[
              viewers !== null && `${viewers === undefined ? '…' : numberText(viewers)} watching`,
              !channel.isActive && 'inactive',
            ]
              .filter(Boolean)
              .join(' • ')}
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

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const NEXT_COUNT = 2

/** The current programme with its progress, the next two, and the end of the timeline. */
function OnAir({ channelId, plannedUntilMs }: { channelId: string; plannedUntilMs?: number | undefined }) {
  const { data, error, mutate } = useOnAir(channelId)
  const nowMs = useServerNow(SECOND_MS)
  const [openId, setOpenId] = useState<string | null>(null)
  if (!data) {
    if (error)
      return <ErrorNotice text="Failed to load the current programme." onRetry={() => void mutate()} />
    return <Skeleton className="h-36" />
  }
  const current = programmeAt(data.programmes, nowMs)
  const next = data.programmes.filter(({ startsAtMs }) => startsAtMs > nowMs).slice(0, NEXT_COUNT)
  const endsAtMs = plannedUntilMs ?? data.programmes.at(-1)?.endsAtMs
  if (!current && next.length === 0) return <p className="text-sm text-muted">Nothing is on the air.</p>
  return (
    <div className="grid gap-3">
      {current && <Current programme={current} nowMs={nowMs} onWhy={() => setOpenId(current.id)} />}
      {next.length > 0 && (
        <ol aria-label="Up next" className="grid gap-1 text-sm">
          {next.map((programme) => (
            <Next key={programme.id} programme={programme} onWhy={() => setOpenId(programme.id)} />
          ))}
        </ol>
      )}
      {endsAtMs !== undefined && <p className="text-sm text-muted">{plannedUntilText(endsAtMs, nowMs)}</p>}
      <LazyWhyDialog channelId={channelId} programmeId={openId} onClose={() => setOpenId(null)} />
    </div>
  )
}

function Next({ programme, onWhy }: { programme: Programme; onWhy: () => void }) {
  const { title, detail } = programmeTexts(programme)
  return (
    <li className="flex min-w-0 items-center gap-3">
      <span className="min-w-16 shrink-0 whitespace-nowrap text-muted tabular-nums">
        {clockTime(programme.startsAtMs)}
      </span>
      <span className="min-w-0 flex-1 wrap-anywhere">
        {title} {detail !== null && <span className="text-muted">– {detail}</span>}
      </span>
      {programme.kind === 'video' && <WhyButton title={title} onPress={onWhy} />}
    </li>
  )
}

function Current(props: { programme: Programme; nowMs: number; onWhy: () => void }) {
  const { programme, nowMs, onWhy } = props
  const { video, startsAtMs, endsAtMs } = programme
  const { title, detail } = programmeTexts(programme)
  const lengthMs = endsAtMs - startsAtMs
  const playedMs = Math.min(lengthMs, Math.max(0, nowMs - startsAtMs))
  return (
    <div className="flex gap-3">
      <Thumbnail url={video?.thumbnailUrl ?? null} className="w-28 shrink-0 self-start rounded-sm" />
      <div className="grid min-w-0 flex-1 content-start gap-1">
        <p className="font-medium wrap-anywhere">{title}</p>
        <p className="text-sm wrap-anywhere text-muted">{detail}</p>
        <progress
          aria-label="Playback progress"
          max={lengthMs}
          value={playedMs}
          className="mt-1 h-1.5 w-full appearance-none overflow-hidden rounded-full bg-raised [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
        />
        <p className="text-xs text-muted tabular-nums">
          {formatDuration(playedMs)} of {formatDuration(lengthMs)}
        </p>
      </div>
      {video && <WhyButton title={title} onPress={onWhy} />}
    </div>
  )
}

/** "Planned until Sun, 2:05 PM (37 hours ahead)". */
function plannedUntilText(endsAtMs: number, nowMs: number): string {
  const until = new Date(endsAtMs).toLocaleString(dateLocale, {
    weekday: 'short',
    hour: 'numeric',
    minute: '2-digit',
  })
  const hours = Math.max(0, Math.floor((endsAtMs - nowMs) / HOUR_MS))
  return `Planned until ${until} (${hours === 1 ? '1 hour' : `${hours} hours`} ahead)`
}

const IDENTS = { station: 'Station ident', next: 'Coming up next', previous: 'You just saw' } as const

/** What admins see of a card in lists of programmes. */
const cardName = ({ ident }: Pick<CardProgramme, 'ident'>): string =>
  ident === null ? 'Countdown' : IDENTS[ident]

/** The two lines of a programme in a list: title and artist of a video; name and block of a card. */
function programmeTexts(programme: Programme): { title: string; detail: string | null } {
  if (programme.kind !== 'video') return { title: cardName(programme), detail: programme.block?.name ?? null }
  return { title: programme.video.title, detail: programme.video.artistName }
}
