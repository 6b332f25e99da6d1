import type { GuideBlock } from '@looptide/contracts/http/guide'
import { FEED_PATHS } from '@looptide/contracts/http/guide'
import { clockTime } from '../../lib/time/date-locale.ts'
import { Button, buttonClass } from '../../ui/button.tsx'
import { LiveBadge } from '../../ui/live-badge.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { blockColour } from './block-colour.ts'
import { blockText } from './block-text.ts'
import { dayName, isOnAir } from './guide-time.ts'
import { onAirOf, type ShownRow } from './shown-rows.ts'

interface FocusedProps {
  shown: ShownRow
  /** Undefined in a row without programmes. */
  block: GuideBlock | undefined
  nowMs: number
  onWatch: () => void
  onDetails: (block: GuideBlock) => void
}

/** What has the focus in the grid, large, beside the picture. Its height does not depend on its texts. */
export function FocusedProgramme(props: FocusedProps) {
  const { shown, block, nowMs, onWatch, onDetails } = props
  const isOn = block !== undefined && isOnAir(block, nowMs)
  const { title, detail, startsAtMs, endsAtMs } = textsOf(props)
  return (
    <section
      aria-label="Selected programme"
      className="flex h-full min-w-0 flex-col gap-1 text-base tv:text-xl"
    >
      <p className="flex min-w-0 items-center gap-3 text-muted">
        <span className="truncate">{shown.title}</span>
        {isOn && <LiveBadge isLarge className="shrink-0" />}
      </p>
      <h3 className="truncate text-2xl font-semibold tracking-tight tv:text-3xl" title={title}>
        {title}
      </h3>
      {detail && <p className="truncate text-lg tv:text-xl">{detail}</p>}
      {block && (
        <>
          <p className="flex flex-wrap items-center gap-x-3 text-muted tabular-nums">
            <span className="truncate">
              {dayName(startsAtMs)}, {clockTime(startsAtMs)} – {clockTime(endsAtMs)}
            </span>
            {isOn && <Progress share={(nowMs - startsAtMs) / (endsAtMs - startsAtMs)} />}
          </p>
          {block.block && <BlockLine block={block} />}
          <div className="mt-auto flex flex-wrap gap-2 pt-1">
            {isOn && (
              <Button tone="primary" icon="play" className="text-base tv:text-xl" onClick={onWatch}>
                Watch Now
              </Button>
            )}
            <Button className="text-base tv:text-xl" onClick={() => onDetails(block)}>
              Details
            </Button>
            {!isOn && (
              <a
                href={calendarUrl(shown.row.channelId)}
                className={buttonClass('plain', 'text-base guide-side:hidden tv:text-xl')}
              >
                Add channel to calendar
              </a>
            )}
          </div>
        </>
      )}
    </section>
  )
}

/** The block of the schedule, its time and its description. */
function BlockLine({ block: { block, startsAtMs, endsAtMs } }: { block: GuideBlock }) {
  if (!block) return null
  return (
    <p className="truncate text-muted guide-side:hidden" title={block.description ?? undefined}>
      <span
        aria-hidden="true"
        className="mr-2 inline-block size-3 rounded-full"
        style={{ background: blockColour(block.colour) }}
      />
      <span className="text-text">{block.name}</span>{' '}
      <span className="tabular-nums">
        {clockTime(startsAtMs)} – {clockTime(endsAtMs)}
      </span>
      {block.description && ` · ${block.description}`}
    </p>
  )
}

function Progress({ share }: { share: number }) {
  return (
    <span
      aria-hidden="true"
      className="h-1 w-24 overflow-hidden rounded-full bg-line forced-colors:bg-[GrayText]"
    >
      <span
        className="block h-full bg-accent forced-colors:bg-[Highlight]"
        style={{ width: `${Math.min(1, Math.max(0, share)) * 100}%` }}
      />
    </span>
  )
}

/** The programme that is on now, else the block. */
function textsOf({ shown, block, nowMs }: FocusedProps) {
  const { track } = onAirOf(shown, nowMs)
  if (block === undefined) {
    return { title: shown.title, detail: shown.row.description ?? '', startsAtMs: 0, endsAtMs: 0 }
  }
  if (track && isOnAir(block, nowMs)) return { ...track, detail: track.artistName }
  return { ...blockText(block), startsAtMs: block.startsAtMs, endsAtMs: block.endsAtMs }
}

/** The channel's calendar, for the calendar application. */
const calendarUrl = (channelId: string): string =>
  (window.location.origin + FEED_PATHS.calendar(channelId)).replace(/^https?:/, 'webcal:')

/** The same height as {@link FocusedProgramme}. */
export function FocusedSkeleton() {
  return (
    <div className="grid content-start gap-3">
      <Skeleton className="h-5 w-32" />
      <Skeleton className="h-8 w-80 max-w-full" />
      <Skeleton className="h-6 w-48" />
    </div>
  )
}
