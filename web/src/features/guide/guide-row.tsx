import type { GuideBlock, GuideRow } from '@looptide/contracts/http/guide'
import { formatArtistSummary } from '@looptide/playhead/artist-summary'
import { useBlockColour } from '../../lib/theme/use-block-colour.ts'
import { clockTime } from '../../lib/time/date-locale.ts'
import { Button } from '../../ui/button.tsx'
import { classNames } from '../../ui/class-names.ts'
import { type Cell, cellLayout } from './cell-layout.ts'
import { HOUR_MS, isOnAir } from './guide-time.ts'
import type { GridStop } from './use-grid-focus.ts'

/** A channel in the guide. */
export interface ShownRow {
  row: GuideRow
  /** The name of the row: '24/7 Live Stream' for the default channel. */
  title: string
  isWatched: boolean
  blocks: readonly GuideBlock[]
}

export interface RowProps {
  shown: ShownRow
  fromMs: number
  toMs: number
  nowMs: number
  /** The props that include a button in the grid's keyboard navigation. */
  stop: GridStop
  onOpen: (block: GuideBlock) => void
  onWatch: () => void
}

/** Blocks shorter than this (ms) are too narrow for text: only screen readers and the dialog show their names. */
const READABLE_MS = 12 * 60_000

/** A channel's day. Its name stays at the left while the blocks scroll. */
export function GuideGridRow(props: RowProps) {
  const { shown, nowMs, stop, onWatch } = props
  const { row, title, isWatched, blocks } = shown
  return (
    // The border is drawn inside the row, which clips the line of the current time at its padding.
    <li className="relative after:absolute after:inset-x-0 after:bottom-0 after:h-px after:bg-line/60 [contain-intrinsic-size:auto_5.5rem] [content-visibility:auto] sm:flex">
      <div className="sticky left-0 z-30 flex w-[100cqw] items-center gap-3 bg-panel px-4 pt-2.5 sm:w-(--names) sm:shrink-0 sm:flex-col sm:items-stretch sm:justify-center sm:gap-1.5 sm:border-r sm:border-b sm:border-line sm:border-b-line/60 sm:px-3 sm:py-1.5">
        <h3 className="min-w-0 flex-1 truncate font-semibold sm:flex-none">
          {title}
          {isWatched && <span className="sr-only"> (watching)</span>}
        </h3>
        <Button
          {...stop(row.channelId, null, nowMs)}
          tone={isWatched ? 'primary' : 'quiet'}
          aria-label={`Watch Now: ${title}`}
          className="min-h-9 scroll-mt-(--hours) px-3 py-1 focus-visible:-outline-offset-2"
          onClick={onWatch}
        >
          Watch Now
        </Button>
      </div>
      {blocks.length === 0 ? (
        <p className="sticky left-4 m-1 grid h-20 w-fit items-center px-3 text-sm text-muted sm:left-[calc(var(--names)+1rem)]">
          {row.status === 'idle' ? 'Off the air' : 'Nothing is scheduled on this channel'}
        </p>
      ) : (
        <div className="relative m-1 h-20 w-(--day) shrink-0 sm:mx-0">
          <ol aria-label={title} className="h-full">
            {cellLayout(blocks, props).map((cell) => (
              <BlockCell key={cell.block.id} cell={cell} {...props} />
            ))}
          </ol>
        </div>
      )}
      <NowLine fromMs={props.fromMs} toMs={props.toMs} nowMs={nowMs} />
    </li>
  )
}

function BlockCell({ cell, ...props }: RowProps & { cell: Cell<GuideBlock> }) {
  const { block, left, width } = cell
  const { shown, fromMs, nowMs, stop, onOpen } = props
  const startsAtMs = Math.max(block.startsAtMs, fromMs)
  const isOn = isOnAir(block, nowMs)
  const onAir = isOn ? shown.row.nowAndNext.find((track) => isOnAir(track, nowMs)) : undefined
  const { title, detail } = blockText(block)
  const colourOf = useBlockColour()
  const time = `${clockTime(block.startsAtMs)} – ${clockTime(block.endsAtMs)}`
  const isReadable = isOn || block.endsAtMs - block.startsAtMs >= READABLE_MS
  return (
    <li
      aria-current={isOn ? 'time' : undefined}
      className="absolute inset-y-0 pr-1"
      style={{ left: `calc(var(--hour) * ${left})`, width: `calc(var(--hour) * ${width})` }}
    >
      <button
        type="button"
        {...stop(shown.row.channelId, block.id, startsAtMs)}
        title={`${time} ${title}`}
        onClick={() => onOpen(block)}
        className={classNames(
          'relative flex size-full scroll-mt-(--hours) flex-col justify-center overflow-clip rounded-md border text-left transition-colors sm:scroll-ml-(--names)',
          'focus-visible:-outline-offset-3',
          isOn ? 'border-accent/70 bg-raised hover:bg-line' : 'border-line/50 bg-deep/50 hover:bg-raised',
        )}
      >
        {block.block && (
          <span
            aria-hidden="true"
            className="absolute inset-x-0 top-0 h-1"
            style={{ background: colourOf(block.block.colour) }}
          />
        )}
        <span
          className={isReadable ? 'sticky left-0 block w-fit max-w-full px-3 sm:left-(--names)' : 'sr-only'}
        >
          <span className="sr-only">{time}, </span>
          {onAir ? (
            <>
              <span className="sr-only">on now: </span>
              <span className="block truncate leading-snug font-semibold">{onAir.title}</span>
              <span className="sr-only"> – </span>
              <span className="block truncate text-sm text-muted">{onAir.artistName}</span>
              <span className="sr-only">, part of {block.block ? '' : `${title}, `}</span>
              <span className="block truncate text-xs text-muted tabular-nums">{`${block.block?.name ?? detail} until ${clockTime(block.endsAtMs)}`}</span>
            </>
          ) : (
            <>
              <span className="line-clamp-2 text-sm leading-snug font-medium">{title}</span>
              <span className="mt-0.5 block truncate text-xs text-muted tabular-nums">{detail}</span>
            </>
          )}
        </span>
      </button>
    </li>
  )
}

/** The part of the line at the current time that crosses a row: in front of the blocks, and behind the channel's name. */
function NowLine({ fromMs, toMs, nowMs }: Pick<RowProps, 'fromMs' | 'toMs' | 'nowMs'>) {
  if (nowMs < fromMs || nowMs > toMs) return null
  return (
    <div
      aria-hidden="true"
      data-now-line
      className="pointer-events-none absolute inset-y-0 z-20 w-0.5 bg-live forced-colors:bg-[Highlight]"
      style={{ left: `calc(var(--names) + var(--hour) * ${(nowMs - fromMs) / HOUR_MS})` }}
    />
  )
}

/**
 * The two lines of a block: name and artists of a block of the schedule; else its artists and number of tracks, or title
 * and artist of a single programme.
 */
function blockText(block: GuideBlock): { title: string; detail: string } {
  const artists = formatArtistSummary(block)
  if (block.block !== null)
    return { title: block.block.name, detail: artists || tracksText(block.trackCount) }
  if (block.title !== null) return { title: block.title, detail: artists }
  return { title: artists || 'Station idents', detail: tracksText(block.trackCount) }
}

const tracksText = (count: number): string => (count === 1 ? '1 track' : `${count} tracks`)
