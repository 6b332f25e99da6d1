import { formatDuration } from '@looptide/playhead/duration'
import type { ReactNode } from 'react'
import { AgainFrom } from '../../lib/again-from.tsx'
import { RequesterLink } from '../../lib/requests/requester-link.tsx'
import { useRequestOf } from '../../lib/requests/use-request-of.ts'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { whyText } from '../../lib/why-text.ts'
import { Button } from '../../ui/button.tsx'
import { LiveBadge } from '../../ui/live-badge.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { dayName, isLive } from './guide-time.ts'
import type { ShownProgramme } from './placeholders.ts'

const exactTime = (epochMs: number): string =>
  new Date(epochMs).toLocaleTimeString(dateLocale, { hour: 'numeric', minute: '2-digit', second: '2-digit' })

/** The details of a programme (docs/product/viewer.md §2, "TV Guide"). Watch Now is offered only while it is live. */
export function ProgrammeDetails(props: {
  programme: ShownProgramme
  channelTitle: string
  nowMs: number
  onWatch: () => void
  /** Additional actions. */
  actions?: ReactNode
}) {
  const { programme, channelTitle, nowMs, onWatch, actions } = props
  const { artistName, genre, description, thumbnailUrl } = programme.video
  const { startsAtMs, endsAtMs } = programme
  const why = whyText(programme)
  const request = useRequestOf(programme.reason)
  const isOn = isLive(programme, nowMs)
  return (
    <div className="grid gap-5 text-base tv:text-xl">
      <Thumbnail url={thumbnailUrl} className="rounded-md" />
      <div className="grid gap-1">
        <p className="flex flex-wrap items-center gap-3 text-lg font-semibold wrap-anywhere tv:text-xl">
          {artistName}
          {isOn && <LiveBadge isLarge />}
        </p>
        <p className="text-muted tabular-nums">
          {dayName(startsAtMs)}, {exactTime(startsAtMs)} – {exactTime(endsAtMs)}
        </p>
        {programme.reason?.again && <AgainFrom {...programme.reason.again} />}
      </div>
      <div className="flex flex-wrap gap-2">
        {isOn && (
          <Button tone="primary" icon="play" onClick={onWatch}>
            Watch Now
          </Button>
        )}
        {actions}
      </div>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5">
        <Fact name="Channel" value={channelTitle} />
        <Fact name="Duration" value={formatDuration(endsAtMs - startsAtMs)} />
        <Fact name="Genre" value={genre} />
        {why && <Fact name="Why is this on?" value={why} />}
        {request && <Fact name="Requested by" value={<RequesterLink requestedBy={request.requestedBy} />} />}
      </dl>
      <p className="leading-relaxed wrap-anywhere whitespace-pre-line text-muted">{description}</p>
    </div>
  )
}

function Fact({ name, value }: { name: string; value: ReactNode }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{value}</dd>
    </>
  )
}
