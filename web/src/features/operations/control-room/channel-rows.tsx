import type { ChannelOverview, OverviewProblem, OverviewProgramme } from '@looptide/contracts/http/overview'
import { formatDuration } from '@looptide/playhead/duration'
import { Link } from 'react-router-dom'
import { numberText } from '../../../lib/count-text.ts'
import { paths } from '../../../lib/paths.ts'
import { useSession } from '../../../lib/session/session.tsx'
import { clockTime, dayAndTime } from '../../../lib/time/date-locale.ts'
import { useServerNow } from '../../../lib/time/use-server-now.ts'
import { Thumbnail } from '../../../ui/thumbnail.tsx'
import { StatusBadge } from '../../admin/status-badge.tsx'
import { useViewers } from '../api.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Where the parts of a channel are edited. */
const PLACES: Record<OverviewProblem['part'], (channelId: string) => string> = {
  stream: () => paths.streamManager('streams'),
  playlist: (channel) => paths.admin('channels', channel),
  schedule: (channel) => paths.schedule({ channel }),
}

/** Every channel: its picture, what is on and next, viewers, the next hard start with a countdown, and problems. */
export function ChannelRows({ channels }: { channels: readonly ChannelOverview[] }) {
  const nowMs = useServerNow(SECOND_MS)
  const viewers = useViewers()
  return (
    <ul
      aria-label="Channels"
      className="grid content-start gap-3 lg:max-h-[calc(100dvh-20rem)] lg:overflow-y-auto lg:overscroll-contain"
    >
      {channels.map((channel) => (
        <ChannelRow
          key={channel.channelId}
          channel={channel}
          viewers={viewers && (viewers.get(channel.channelId) ?? 0)}
          nowMs={nowMs}
        />
      ))}
    </ul>
  )
}

function ChannelRow(props: { channel: ChannelOverview; viewers: number | undefined; nowMs: number }) {
  const { channel, viewers, nowMs } = props
  const { channelId, name, status, programmes, nextHardStart, problems } = channel
  const current = programmes.find(({ startsAtMs, endsAtMs }) => startsAtMs <= nowMs && nowMs < endsAtMs)
  const next = programmes.find(({ startsAtMs }) => startsAtMs > nowMs)
  const { may } = useSession()
  return (
    <li
      aria-label={name}
      className="grid grid-cols-[auto_minmax(0,1fr)] content-start gap-x-4 gap-y-1 rounded-lg border border-line/70 bg-panel p-3"
    >
      <Link
        to={paths.live({ channel: channelId })}
        aria-label={`Watch ${name}`}
        className="lift row-span-2 self-start overflow-hidden rounded-md"
      >
        <Thumbnail url={current?.thumbnailUrl ?? null} isEager className="w-28 sm:w-36" />
        {current && <Progress programme={current} nowMs={nowMs} />}
      </Link>
      <div className="flex min-w-0 flex-wrap items-center gap-x-3 sm:flex-nowrap">
        <h3 className="min-w-0 font-semibold wrap-anywhere max-sm:basis-full">{name}</h3>
        <StatusBadge status={status} />
        <span className="ml-auto shrink-0 text-sm text-muted tabular-nums">
          {viewers === undefined ? '…' : numberText(viewers)} watching
        </span>
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-0.5 text-sm">
        {current && <Current programme={current} nowMs={nowMs} />}
        {next && (
          <p className="text-muted wrap-anywhere">
            <span className="tabular-nums">{clockTime(next.startsAtMs)}</span> {textOf(next)}
          </p>
        )}
        {nextHardStart && (
          <p className="wrap-anywhere">
            <span className="text-muted">Exact start: </span>
            {nextHardStart.name}, {countdown(nextHardStart.startsAtMs, nowMs)}
          </p>
        )}
        {problems.map(({ text, part }) => (
          <p key={text} className="flex flex-wrap gap-x-2 font-medium wrap-anywhere">
            <span>
              <span aria-hidden="true">⚠ </span>
              {text}
            </span>
            {may('schedules:edit') && (
              <Link to={PLACES[part](channelId)} className="text-link underline">
                Fix
              </Link>
            )}
          </p>
        ))}
      </div>
    </li>
  )
}

const textOf = ({ title, artistName, blockName }: OverviewProgramme): string =>
  title === null ? (blockName ?? 'Station ident') : artistName === '' ? title : `${title} – ${artistName}`

function Current({ programme, nowMs }: { programme: OverviewProgramme; nowMs: number }) {
  const { endsAtMs, blockName } = programme
  return (
    <p className="flex items-baseline gap-3">
      <span className="min-w-0 flex-1 font-medium wrap-anywhere">
        {textOf(programme)}
        {blockName !== null && <span className="font-normal text-muted"> • {blockName}</span>}
      </span>
      <span className="shrink-0 text-xs text-muted tabular-nums">
        {formatDuration(endsAtMs - nowMs)} left
      </span>
    </p>
  )
}

/** Below the picture. */
function Progress({ programme, nowMs }: { programme: OverviewProgramme; nowMs: number }) {
  const { startsAtMs, endsAtMs } = programme
  return (
    <progress
      aria-label="Playback progress"
      max={endsAtMs - startsAtMs}
      value={nowMs - startsAtMs}
      className="block h-1.5 w-28 appearance-none overflow-hidden bg-raised sm:w-36 [&::-moz-progress-bar]:bg-accent [&::-webkit-progress-bar]:bg-raised [&::-webkit-progress-value]:bg-accent"
    />
  )
}

/** "in 12:05", "in 3:10:00", or the day from a day ahead on. */
function countdown(atMs: number, nowMs: number): string {
  const aheadMs = Math.max(0, atMs - nowMs)
  return aheadMs < DAY_MS ? `in ${formatDuration(aheadMs)} (${clockTime(atMs)})` : dayAndTime(atMs)
}
