import type { LogEdit, LogProgramme } from '@looptide/contracts/http/log'
import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useEffect, useRef, useState } from 'react'
import { classNames } from '../../../ui/class-names.ts'
import { dateText } from '../model/zoned-time.ts'
import type { BegunChange } from './change-dialog.tsx'
import { nextChangeable } from './log-change.ts'
import { COLUMNS, LogRowCells, type Placed } from './log-row.tsx'
import { type LogRow, rowsOf } from './log-rows.ts'

/** Estimated height of a row before it is measured, and more than the height of the table's head, in px. */
const ROW_PX = 48

const CELLS = [...COLUMNS, { id: 'change', label: 'Change' }]

/** The programmes of a log as a virtual table. The arrow keys go from one programme that can be changed to the next. */
export function LogTable(props: {
  /** The programmes that are shown, and all of the log. */
  shown: readonly LogProgramme[]
  all: readonly LogProgramme[]
  edits: readonly LogEdit[]
  document: ScheduleDocument
  onBegin: (begun: BegunChange, startsAt: string) => void
  onUndo: (editId: string) => void
}) {
  const { shown, all, edits, document } = props
  const scroller = useRef<HTMLDivElement>(null)
  const rows = rowsOf(shown, document.timeZone)
  const list = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    getItemKey: (index) => keyOfRow(rows[index]) ?? index,
    overscan: 8,
    // The head is above the rows, which the virtual list does not know.
    scrollPaddingEnd: ROW_PX,
  })
  const items = list.getVirtualItems()
  const firstChangeable = all.find(({ isChangeable }) => isChangeable)
  const { active, onKeyDown, onFocus } = useActiveRow(
    scroller,
    rows,
    items.filter(({ end }) => end > (list.scrollOffset ?? 0)).map(({ index }) => index),
    list.scrollToIndex,
  )
  return (
    <div
      ref={scroller}
      className="h-[70dvh] min-h-96 overflow-y-auto overscroll-contain rounded-lg border border-line/70 bg-panel"
    >
      <table
        aria-label="Log"
        aria-rowcount={rows.length + 1}
        className="block text-sm"
        onKeyDown={onKeyDown}
        onFocus={onFocus}
      >
        <Head />
        <tbody className="relative block" style={{ height: list.getTotalSize() }}>
          {items.map(({ key, index, start }) => {
            const row = rows[index]
            if (row === undefined) return null
            const placed = {
              ref: list.measureElement,
              'data-index': index,
              'aria-rowindex': index + 2,
              style: { transform: `translateY(${start}px)` },
            }
            if ('date' in row) {
              return <DateRow key={key} placed={placed} date={row.date} />
            }
            const { programme } = row
            const edit = edits.find(({ id }) => id === programme.editId)
            return (
              <LogRowCells
                key={key}
                placed={placed}
                className={classNames(
                  ROW,
                  'absolute inset-x-0 top-0 border-b border-line/60 hover:bg-raised/50',
                  programme.isHardStart && 'border-t-2 border-t-accent',
                )}
                programme={programme}
                next={nextChangeable(all, programme)}
                isNext={programme === firstChangeable}
                edit={edit}
                isOnAir={programme === all[0]}
                isTabStop={programme.startsAt === active}
                document={document}
                onBegin={(begun) => props.onBegin(begun, programme.startsAt)}
                onUndo={edit?.isUndoable ? () => props.onUndo(edit.id) : undefined}
              />
            )
          })}
        </tbody>
      </table>
    </div>
  )
}

function Head() {
  return (
    <thead className="sticky top-0 z-10 block border-b border-line bg-panel max-lg:sr-only">
      <tr aria-rowindex={1} className={ROW}>
        {CELLS.map(({ id, label }) => (
          <th key={id} scope="col" className="py-2 text-left text-xs font-semibold text-muted">
            {id === 'change' ? <span className="sr-only">{label}</span> : label}
          </th>
        ))}
      </tr>
    </thead>
  )
}

function DateRow({ placed, date }: { placed: Placed; date: string }) {
  return (
    <tr {...placed} className="absolute inset-x-0 top-0 block">
      <th
        scope="rowgroup"
        colSpan={CELLS.length}
        className="block bg-raised px-3 py-1.5 text-left font-semibold"
      >
        {dateText(date)}
      </th>
    </tr>
  )
}

/** A row is a grid, so that rows that are placed one by one have the same columns. On narrow screens it has lines. */
const ROW =
  'grid grid-cols-[6.75rem_minmax(0,1fr)_2.75rem] items-center gap-x-3 px-3 max-lg:py-1.5 lg:grid-cols-[6.75rem_minmax(0,3fr)_minmax(0,2fr)_minmax(0,1.5fr)_minmax(0,1.5fr)_minmax(0,2.5fr)_2.75rem]'

/** A programme that is planned again at its time has a new id; its row stays, and with it the focus. */
const keyOfRow = (row: LogRow | undefined): string | undefined =>
  row && ('date' in row ? row.date : row.programme.startsAt)

const changeableStart = (row: LogRow | undefined): string | undefined =>
  row && 'programme' in row && row.programme.isChangeable ? row.programme.startsAt : undefined

/** The start of the programme whose button is a tab stop, and the keys that go to another one. */
function useActiveRow(
  scroller: React.RefObject<HTMLElement | null>,
  rows: readonly LogRow[],
  visible: readonly number[],
  scrollTo: (index: number) => void,
) {
  const [chosen, setChosen] = useState<string>()
  const toFocus = useRef<string>(undefined)
  // The row may be rendered only after the list has been scrolled to it.
  useEffect(() => {
    const button =
      toFocus.current &&
      scroller.current?.querySelector<HTMLElement>(`[data-start="${toFocus.current}"] button`)
    if (!button) return
    toFocus.current = undefined
    button.focus({ preventScroll: true })
  })
  const starts = visible.map((index) => changeableStart(rows[index])).filter((start) => start !== undefined)
  const active = chosen !== undefined && starts.includes(chosen) ? chosen : starts[0]
  const onKeyDown = (event: React.KeyboardEvent) => {
    const row = event.target instanceof Element && event.target.closest<HTMLElement>('[data-start]')
    if (!row) return
    const from = rows.findIndex((each) => changeableStart(each) === row.dataset.start)
    const index = rowAfterKey(event.key, rows, from)
    if (index === undefined) return
    event.preventDefault()
    toFocus.current = changeableStart(rows[index])
    setChosen(toFocus.current)
    scrollTo(index)
  }
  const onFocus = ({ target }: React.FocusEvent) => {
    // React reports the focus in a row's menu here as well, which is not inside the row.
    const row = target.closest<HTMLElement>('[data-start]')
    if (row) setChosen(row.dataset.start)
  }
  return { active, onKeyDown, onFocus }
}

/** The index of the row to which a key leads; undefined if there is none. */
function rowAfterKey(key: string, rows: readonly LogRow[], from: number): number | undefined {
  const find = (index: number, step: 1 | -1): number | undefined => {
    for (let at = index; at >= 0 && at < rows.length; at += step) {
      if (changeableStart(rows[at]) !== undefined) return at
    }
    return undefined
  }
  if (key === 'ArrowDown') return find(from + 1, 1)
  if (key === 'ArrowUp') return find(from - 1, -1)
  if (key === 'Home') return find(0, 1)
  return key === 'End' ? find(rows.length - 1, -1) : undefined
}
