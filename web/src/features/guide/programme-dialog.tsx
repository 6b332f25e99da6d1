import { formatDuration } from '@looptide/playhead/duration'
import type { ReactNode } from 'react'
import { dateLocale } from '../../lib/time/date-locale.ts'
import { whyText } from '../../lib/why-text.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LiveBadge } from '../../ui/live-badge.tsx'
import { Thumbnail } from '../../ui/thumbnail.tsx'
import { dayName, isLive } from './guide-time.ts'
import type { ShownProgramme } from './placeholders.ts'

const exactTime = (epochMs: number): string =>
  new Date(epochMs).toLocaleTimeString(dateLocale, { hour: 'numeric', minute: '2-digit', second: '2-digit' })

/** The details of a programme (docs/product/viewer.md §2, "TV Guide"). Watch Now is offered only while it is live. */
export function ProgrammeDialog(props: {
  programme: ShownProgramme
  channelTitle: string
  nowMs: number
  onWatch: () => void
  onClose: () => void
  /** Additional actions. */
  actions?: ReactNode
}) {
  const { programme, channelTitle, nowMs, onWatch, onClose, actions } = props
  const { title, artistName, genre, description, thumbnailUrl } = programme.video
  const { startsAtMs, endsAtMs } = programme
  const why = whyText(programme)
  const isOn = isLive(programme, nowMs)
  return (
    <Dialog title={title} isOpen onClose={onClose} width="medium">
      <div className="grid gap-5">
        <Thumbnail url={thumbnailUrl} className="rounded-md" />
        <div className="grid gap-1">
          <p className="flex flex-wrap items-center gap-3 text-lg font-semibold">
            {artistName}
            {isOn && <LiveBadge />}
          </p>
          <p className="text-muted tabular-nums">
            {dayName(startsAtMs)}, {exactTime(startsAtMs)} – {exactTime(endsAtMs)}
          </p>
        </div>
        <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1.5 text-sm">
          <Fact name="Channel" value={channelTitle} />
          <Fact name="Duration" value={formatDuration(endsAtMs - startsAtMs)} />
          <Fact name="Genre" value={genre} />
          {why && <Fact name="Why is this on?" value={why} />}
        </dl>
        <p className="max-h-40 overflow-y-auto text-sm leading-relaxed wrap-anywhere whitespace-pre-line text-muted">
          {description}
        </p>
        <div className="flex flex-wrap gap-2">
          {isOn && (
            <Button tone="primary" icon="play" onClick={onWatch}>
              Watch Now
            </Button>
          )}
          {actions}
          <Button onClick={onClose}>Close</Button>
        </div>
      </div>
    </Dialog>
  )
}

function Fact({ name, value }: { name: string; value: string }) {
  return (
    <>
      <dt className="text-muted">{name}</dt>
      <dd className="min-w-0 wrap-anywhere">{value}</dd>
    </>
  )
}
