import type { GuideBlock } from '@looptide/contracts/http/guide'
import {
  type MouseEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { useMediaQuery } from '../../lib/browser/use-media-query.ts'
import { clockTime } from '../../lib/time/date-locale.ts'
import { classNames } from '../../ui/class-names.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { IN_HALF_HOURS, IN_HOURS } from './cell-layout.ts'
import type { GridPosition } from './grid-focus.ts'
import { placeOf } from './grid-place.ts'
import { GuideGridRow } from './guide-row.tsx'
import { dayName, GUIDE_HOURS, gridHours, HOUR_MS } from './guide-time.ts'
import { onAirOf, type ShownRow } from './shown-rows.ts'
import { useGridFocus } from './use-grid-focus.ts'

/** As in `guide-halves` (web/src/styles/app.css): half-hour columns. */
const HALF_HOURS = '(min-width: 90rem) and (min-height: 36rem)'

/** Widths of an hour, the day and the names, heights of the times and of a row. */
const SIZES =
  '[--day:calc(var(--hour)*24)] [--hour:13rem] [--hours:4.5rem] [--names:0px] [--row:4.25rem] ' +
  'guide-wide:[--hour:15rem] guide-wide:[--hours:2.75rem] guide-wide:[--names:17.5rem] guide-wide:[--row:4.75rem] guide-halves:[--hour:30rem] ' +
  'tv:[--hours:3.25rem] tv:[--names:22rem] tv:[--row:6rem]'

export interface GuideGridProps {
  rows: readonly ShownRow[]
  fromMs: number
  nowMs: number
  /** The day of the first instant in view. */
  day: string
  position: GridPosition
  onMove: (position: GridPosition) => void
  onOpen: (row: ShownRow, block: GuideBlock) => void
  onWatch: (channelId: string) => void
  /** Receives the element that scrolls. */
  scroller: RefObject<HTMLElement | null>
}

/** A grid of channels (rows) and time (columns), with a line at the current time. */
export function GuideGrid(props: GuideGridProps) {
  const { rows, fromMs, nowMs, scroller } = props
  const widths = useMediaQuery(HALF_HOURS) ? IN_HALF_HOURS : IN_HOURS
  const gridRows = rows.map(({ row, blocks }) => ({ id: row.channelId, blocks }))
  const { position, handlers } = useGridFocus(scroller, gridRows, props.position, props.onMove)
  const onClick = ({ target }: MouseEvent) => {
    const place = placeOf(target)
    const shown = rows.find(({ row }) => row.channelId === place?.rowId)
    const block = shown?.blocks.find(({ id }) => id === place?.blockId)
    if (shown && block) props.onOpen(shown, block)
    else if (place?.blockId === null) props.onWatch(place.rowId)
  }
  return (
    <section
      ref={scroller}
      aria-label="Programmes"
      onClick={onClick}
      onKeyDown={handlers.onKeyDown}
      onFocus={handlers.onFocus}
      onBlur={handlers.onBlur}
      className={classNames(
        SIZES,
        '@container relative isolate min-h-0 flex-1 overflow-auto overscroll-contain',
      )}
    >
      <div className="relative w-[calc(var(--names)+var(--day))]">
        <HourHeader fromMs={fromMs} day={props.day} />
        <Rows fromMs={fromMs} nowMs={nowMs}>
          {rows.map((shown) => {
            const onAir = onAirOf(shown, nowMs)
            const { row, number, title, logoUrl, isWatched, blocks } = shown
            return (
              <GuideGridRow
                key={row.channelId}
                row={row}
                number={number}
                title={title}
                logoUrl={logoUrl}
                isWatched={isWatched}
                blocks={blocks}
                fromMs={fromMs}
                onAirId={onAir.block?.id}
                onAir={onAir.track}
                stopId={position.rowId === row.channelId ? position.blockId : undefined}
                widths={widths}
              />
            )
          })}
        </Rows>
      </div>
    </section>
  )
}

/** The rows, with the line at the current time in front of all cells and behind the names. */
function Rows(props: { fromMs: number; nowMs: number; children: ReactNode }) {
  const { fromMs, nowMs } = props
  const element = useRef<HTMLDivElement>(null)
  const now = gridHours(fromMs, nowMs)
  useLayoutEffect(() => element.current?.style.setProperty('--now', String(now)), [now])
  return (
    <div ref={element} className="relative">
      <ul>{props.children}</ul>
      {now > 0 && (
        <div
          aria-hidden="true"
          data-now-line
          className="pointer-events-none absolute inset-y-0 z-20 w-0.5 bg-live forced-colors:bg-[Highlight]"
          style={{ left: `calc(var(--names) + var(--hour) * ${now})` }}
        />
      )}
    </div>
  )
}

/**
 * The times above the blocks and the date of the first one in view. Hidden from screen readers: each block includes its
 * own time.
 */
function HourHeader({ fromMs, day }: Pick<GuideGridProps, 'fromMs' | 'day'>) {
  return (
    <div
      aria-hidden="true"
      className="sticky top-0 z-40 grid h-(--hours) border-b border-line bg-panel text-base tv:text-xl guide-wide:flex"
    >
      <p
        data-day
        className="sticky left-0 z-10 flex w-[100cqw] items-center bg-panel px-4 font-semibold guide-wide:w-(--names) guide-wide:shrink-0 guide-wide:border-r guide-wide:border-line guide-wide:px-5"
      >
        {day}
      </p>
      <div className="flex">
        {Array.from({ length: GUIDE_HOURS }, (_, index) => fromMs + index * HOUR_MS).map((hourMs) => (
          <p
            key={hourMs}
            data-hour={hourMs}
            className="grid w-(--hour) shrink-0 grid-flow-col auto-cols-fr items-center text-muted tabular-nums"
          >
            <span className="truncate border-l border-line px-3">
              {clockTime(hourMs)}
              {hourMs > fromMs && isMidnight(hourMs) && (
                <span className="ml-2 text-text">{dayName(hourMs)}</span>
              )}
            </span>
            <span className="hidden border-l border-line/60 px-3 guide-halves:block">
              {clockTime(hourMs + HOUR_MS / 2)}
            </span>
          </p>
        ))}
      </div>
    </div>
  )
}

const isMidnight = (epochMs: number): boolean => new Date(epochMs).getHours() === 0

const SKELETON_ROWS = 6

/** The grid while the programmes are loading, with the same sizes. */
export function GridSkeleton() {
  return (
    <div
      role="status"
      aria-label="Loading guide"
      className={classNames(SIZES, 'grid min-h-0 flex-1 content-start overflow-clip')}
    >
      <div className="h-(--hours) border-b border-line" />
      {Array.from({ length: SKELETON_ROWS }, (_, row) => (
        <div key={String(row)} className="border-b border-line/60 guide-wide:flex">
          <div className="flex h-12 items-center gap-3 px-4 guide-wide:h-auto guide-wide:w-(--names) guide-wide:shrink-0 guide-wide:px-5">
            <Skeleton className="size-8 guide-wide:size-11" />
            <Skeleton className="h-5 w-32" />
          </div>
          <div className="flex h-(--row) gap-1 py-1">
            {Array.from({ length: SKELETON_ROWS }, (_, cell) => (
              <Skeleton key={String(cell)} className="w-[calc(var(--hour)-0.25rem)] shrink-0" />
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

/**
 * The first hour in view (epoch ms), for the date that is shown. `fromMs`: the start of the grid; undefined while there is
 * none.
 */
export function useFirstHourInView(
  scroller: RefObject<HTMLElement | null>,
  fromMs: number | undefined,
): number | undefined {
  const [hours, setHours] = useState(0)
  useEffect(() => {
    const grid = scroller.current
    if (!grid || fromMs === undefined) return
    const show = () => {
      const hourPx = grid.querySelector<HTMLElement>('[data-hour]')?.offsetWidth ?? 1
      // One pixel more, because a grid scrolled to midnight may be a fraction of a pixel before it.
      setHours(Math.floor((grid.scrollLeft + 1) / hourPx))
    }
    show()
    grid.addEventListener('scroll', show, { passive: true })
    return () => grid.removeEventListener('scroll', show)
  }, [scroller, fromMs])
  return fromMs === undefined ? undefined : fromMs + hours * HOUR_MS
}
