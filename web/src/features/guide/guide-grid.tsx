import type { GuideBlock } from '@looptide/contracts/http/guide'
import { type RefObject, useEffect, useState } from 'react'
import { clockTime } from '../../lib/time/date-locale.ts'
import { blockAt, type GridRow } from './grid-focus.ts'
import { GuideGridRow, type ShownRow } from './guide-row.tsx'
import { dayName, GUIDE_HOURS, HOUR_MS } from './guide-time.ts'
import { useGridFocus } from './use-grid-focus.ts'

export interface GuideGridProps {
  rows: readonly ShownRow[]
  fromMs: number
  nowMs: number
  watchedId: string
  onOpen: (row: ShownRow, block: GuideBlock) => void
  onWatch: (channelId: string) => void
  /** Receives a function that scrolls back to now. */
  scroller: RefObject<HTMLElement | null>
}

/** A grid of channels (rows) and time (columns), with a line at the current time. */
export function GuideGrid(props: GuideGridProps) {
  const { rows, fromMs, nowMs, watchedId, onOpen, onWatch, scroller } = props
  const gridRows: GridRow[] = rows.map(({ row, blocks }) => ({ id: row.channelId, blocks }))
  const watched = gridRows.find(({ id }) => id === watchedId) ?? gridRows[0]
  const stop = useGridFocus(scroller, gridRows, {
    rowId: watched?.id ?? watchedId,
    blockId: watched ? blockAt(watched, nowMs) : null,
    atMs: nowMs,
  })
  return (
    <section
      ref={scroller}
      aria-label="Programmes"
      className="@container relative min-h-0 flex-1 overflow-auto overscroll-contain [--day:calc(var(--hour)*24)] [--hour:13rem] [--hours:4rem] [--names:0px] sm:[--hour:15rem] sm:[--hours:2.5rem] sm:[--names:13rem]"
    >
      <div className="relative w-[calc(var(--names)+var(--day))]">
        <HourHeader fromMs={fromMs} scroller={scroller} />
        <ul>
          {rows.map((shown) => (
            <GuideGridRow
              key={shown.row.channelId}
              shown={shown}
              fromMs={fromMs}
              toMs={fromMs + GUIDE_HOURS * HOUR_MS}
              nowMs={nowMs}
              stop={stop}
              onOpen={(block) => onOpen(shown, block)}
              onWatch={() => onWatch(shown.row.channelId)}
            />
          ))}
        </ul>
      </div>
    </section>
  )
}

/**
 * The hours above the blocks and the date of the first one in view. Hidden from screen readers: each block includes its
 * own time.
 */
function HourHeader({ fromMs, scroller }: Pick<GuideGridProps, 'fromMs' | 'scroller'>) {
  const day = useShownDay(scroller, fromMs)
  return (
    <div
      aria-hidden="true"
      className="sticky top-0 z-30 grid h-(--hours) border-b border-line bg-panel sm:flex"
    >
      <p
        data-day
        className="sticky left-0 z-10 flex w-[100cqw] items-center bg-panel px-3 text-sm text-muted sm:w-(--names) sm:shrink-0 sm:border-r sm:border-line"
      >
        {day}
      </p>
      <div className="flex">
        {Array.from({ length: GUIDE_HOURS }, (_, index) => fromMs + index * HOUR_MS).map((hourMs) => (
          <p
            key={hourMs}
            data-hour={hourMs}
            className="flex w-(--hour) shrink-0 items-center border-l border-line/50 px-3 text-sm font-semibold tabular-nums"
          >
            {clockTime(hourMs)}
            {isMidnight(hourMs) && <span className="ml-2 font-normal text-muted">{dayName(hourMs)}</span>}
          </p>
        ))}
      </div>
    </div>
  )
}

/** The day of the first instant in view. */
function useShownDay(scroller: RefObject<HTMLElement | null>, fromMs: number): string {
  const [day, setDay] = useState(() => dayName(fromMs))
  useEffect(() => {
    const grid = scroller.current
    if (!grid) return
    const show = () => {
      const hourPx = grid.querySelector<HTMLElement>('[data-hour]')?.offsetWidth ?? 1
      // One pixel more, because a grid scrolled to midnight may be a fraction of a pixel before it.
      setDay(dayName(fromMs + ((grid.scrollLeft + 1) / hourPx) * HOUR_MS))
    }
    show()
    grid.addEventListener('scroll', show, { passive: true })
    return () => grid.removeEventListener('scroll', show)
  }, [scroller, fromMs])
  return day
}

const isMidnight = (epochMs: number): boolean => new Date(epochMs).getHours() === 0
