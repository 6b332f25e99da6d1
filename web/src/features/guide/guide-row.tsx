import type { GuideBlock, GuideTrack } from '@looptide/contracts/http/guide'
import { memo } from 'react'
import { clockTime } from '../../lib/time/date-locale.ts'
import { ChannelLogo } from '../../ui/channel-logo.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Icon } from '../../ui/icon.tsx'
import { blockColour } from './block-colour.ts'
import { blockText } from './block-text.ts'
import { type Cell, type CellWidths, cellLayout } from './cell-layout.ts'
import { placeName } from './grid-place.ts'
import { GUIDE_HOURS, gridHours } from './guide-time.ts'
import type { ShownRow } from './shown-rows.ts'

export interface RowProps
  extends Pick<ShownRow, 'row' | 'number' | 'title' | 'logoUrl' | 'isWatched' | 'blocks'> {
  fromMs: number
  /** What is on now, if it is in the grid. */
  onAirId: string | undefined
  onAir: GuideTrack | undefined
  /** The row's tab stop: a block, or null for the channel; undefined if it is in another row. */
  stopId: string | null | undefined
  widths: CellWidths
}

/** Cells narrower than this (hours of the grid) have no room for text: only screen readers and the panel name them. */
const READABLE_HOURS = 0.2

/**
 * A channel's day. Its name stays at the left while the blocks scroll. The grid handles all events (`data-place`) and sets
 * `--now`, so that a row is rendered again only when what it shows has changed.
 */
export const GuideGridRow = memo(function GuideGridRow(props: RowProps) {
  const { row, title, blocks, fromMs } = props
  const lastEndsAt = gridHours(fromMs, blocks.at(-1)?.endsAtMs ?? fromMs)
  return (
    <li className="relative border-b border-line/60 guide-wide:flex">
      <ChannelName {...props} />
      {/* Its height and width are known, so that a row out of view need not be rendered. */}
      <div className="relative h-(--row) w-(--day) shrink-0 py-1 [content-visibility:auto] [contain-intrinsic-size:var(--day)_var(--row)]">
        <ol aria-label={title} className="relative h-full">
          {cellLayout(blocks, props).map((cell) => (
            <BlockCell key={cell.block.id} cell={cell} {...props} />
          ))}
        </ol>
        {lastEndsAt < GUIDE_HOURS && (
          <p
            className="absolute inset-y-1 right-0 grid items-center px-1"
            style={{ left: `calc(var(--hour) * ${lastEndsAt})` }}
          >
            <span className="sticky left-[calc(var(--names)+1rem)] w-fit px-2 text-base text-muted tv:text-xl">
              {row.status === 'idle'
                ? 'Off the air'
                : blocks.length === 0 && row.endsAtMs === null
                  ? 'Nothing is scheduled on this channel'
                  : 'Not planned yet'}
            </span>
          </p>
        )}
      </div>
    </li>
  )
})

/**
 * Number, logo and name of the channel. Pressing it watches the channel. Beside the blocks it covers the lower border of
 * its row too, behind which the line of the current time would be seen.
 */
function ChannelName({ row, number, title, logoUrl, isWatched, stopId }: RowProps) {
  return (
    <div className="group sticky left-0 z-30 flex h-12 w-[100cqw] items-center gap-3 px-4 guide-wide:-mb-px guide-wide:h-auto guide-wide:w-(--names) guide-wide:shrink-0 guide-wide:border-r guide-wide:border-b guide-wide:border-r-line guide-wide:border-b-line/60 guide-wide:bg-panel guide-wide:px-5">
      <span className="min-w-5 text-base text-muted tabular-nums tv:min-w-8 tv:text-xl">{number}</span>
      <span className="relative">
        <ChannelLogo name={row.name} url={logoUrl} size="row" />
        <span
          aria-hidden="true"
          className="absolute inset-0 hidden place-items-center rounded-md bg-black/65 text-white group-focus-within:grid group-hover:grid"
        >
          <Icon name="play" className="size-5 tv:size-7" />
        </span>
      </span>
      <div className="flex min-w-0 flex-1 items-center gap-3 guide-wide:block">
        <h3 className="min-w-0 flex-1 truncate text-base leading-snug font-semibold tv:text-xl" title={title}>
          {title}
          {isWatched && <span className="sr-only"> (watching)</span>}
        </h3>
        <p
          aria-hidden="true"
          className={classNames(
            'text-base leading-snug tv:text-xl',
            isWatched ? 'text-accent' : 'text-muted group-focus-within:text-text group-hover:text-text',
          )}
        >
          {isWatched ? 'Watching' : 'Watch Now'}
        </p>
      </div>
      <button
        type="button"
        data-place={placeName({ rowId: row.channelId, blockId: null })}
        tabIndex={stopId === null ? 0 : -1}
        aria-label={`Watch Now: ${title}`}
        className="absolute inset-0 scroll-mt-(--hours) focus-visible:-outline-offset-3"
      />
    </div>
  )
}

function BlockCell({ cell, ...props }: RowProps & { cell: Cell<GuideBlock> }) {
  const { block, left, width } = cell
  const isOn = block.id === props.onAirId
  const { title, detail } = blockText(block)
  const time = `${clockTime(block.startsAtMs)} – ${clockTime(block.endsAtMs)}`
  const isStop = block.id === props.stopId
  return (
    <li
      aria-current={isOn ? 'time' : undefined}
      className="absolute inset-y-0 pr-1"
      style={{ left: `calc(var(--hour) * ${left})`, width: `calc(var(--hour) * ${width})` }}
    >
      <button
        type="button"
        data-place={placeName({ rowId: props.row.channelId, blockId: block.id })}
        tabIndex={isStop ? 0 : -1}
        title={`${time} ${title}`}
        className={classNames(
          'relative flex size-full scroll-mt-(--hours) flex-col justify-center overflow-clip rounded-md border text-left scroll-ml-(--names)',
          'focus-visible:z-10 focus-visible:-outline-offset-3',
          isOn ? 'bg-raised hover:bg-line' : 'bg-raised/55 hover:bg-raised',
          // What the programme beside the picture is, also while the focus is elsewhere.
          isStop ? 'border-edge' : isOn ? 'border-line' : 'border-transparent',
        )}
      >
        {/* The part of the block that is over. */}
        <span
          aria-hidden="true"
          className="absolute inset-y-0 left-0 bg-white/10"
          style={{ width: `clamp(0px, calc(var(--hour) * (var(--now) - ${left})), 100%)` }}
        />
        {block.block && (
          <span
            aria-hidden="true"
            className="absolute inset-x-0 top-0 h-1"
            style={{ background: blockColour(block.block.colour) }}
          />
        )}
        <span
          className={
            isOn || width >= READABLE_HOURS
              ? 'sticky left-(--names) block w-fit max-w-full px-3 tv:px-4'
              : 'sr-only'
          }
        >
          <span className="sr-only">{time}, </span>
          <span className="block truncate text-base leading-snug font-semibold tv:text-xl">{title}</span>
          <span className="block truncate text-base leading-snug text-muted tabular-nums tv:text-xl">
            {isOn && props.onAir ? (
              <>
                <span className="sr-only">, on now: </span>
                {props.onAir.title} – {props.onAir.artistName}
              </>
            ) : (
              detail
            )}
          </span>
        </span>
      </button>
    </li>
  )
}
