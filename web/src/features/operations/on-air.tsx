import type { Programme } from '@looptide/contracts/http/channels'
import { formatDuration } from '@looptide/playhead/duration'
import { programmeAt } from '@looptide/playhead/programme'
import { useState } from 'react'
import { programmeTexts } from '../../lib/programme-texts.ts'
import { clockTime } from '../../lib/time/clock-time.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { useServerNow } from '../../lib/time/use-server-now.ts'
import { ErrorNotice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { LazyWhyDialog, WhyButton } from '../admin/why-button.tsx'
import { useOnAir } from './api.ts'

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const NEXT_COUNT = 2

/** The current programme with its progress, the next two, and the end of the timeline. */
export function OnAir({
  channelId,
  plannedUntilMs,
}: {
  channelId: string
  plannedUntilMs?: number | undefined
}) {
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
      <span className="min-w-0 flex-1 truncate">
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
        <p className="truncate font-medium">{title}</p>
        <p className="truncate text-sm text-muted">{detail}</p>
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
