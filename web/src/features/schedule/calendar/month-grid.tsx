import type { ScheduleDocument } from '@looptide/contracts/schedule'
import { dayNumber, isoDate, weekdayOf } from '@looptide/planner/local-days'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { dateLocale } from '../../../lib/time/date-locale.ts'
import { IconButton } from '../../../ui/button.tsx'
import { classNames } from '../../../ui/class-names.ts'
import { specialsOn, startLabel } from '../model/specials.ts'
import { dayIndex, WEEKDAYS } from '../model/times.ts'
import { addDays, dateText } from '../model/zoned-time.ts'

const STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -7, ArrowDown: 7 }
const SHOWN = 2

/** The six weeks that show the month of a date, from Monday. */
function weeksOf(month: string): string[] {
  const first = dayNumber(`${month}-01`) ?? 0
  const start = first - dayIndex(weekdayOf(first))
  return Array.from({ length: 42 }, (_, index) => isoDate(start + index))
}

/** The first date of the month a number of months later. */
function monthAfter(month: string, months: number): string {
  const date = new Date(`${month}-01T00:00:00Z`)
  date.setUTCMonth(date.getUTCMonth() + months)
  return date.toISOString().slice(0, 7)
}

const monthText = (month: string): string =>
  new Date(`${month}-01T00:00:00Z`).toLocaleDateString(dateLocale, {
    timeZone: 'UTC',
    month: 'long',
    year: 'numeric',
  })

/** A month of specials and holidays. Arrow keys move between the days. */
export function MonthGrid(props: {
  document: ScheduleDocument
  today: string
  selected: string
  onSelect: (date: string) => void
}) {
  const { selected, onSelect } = props
  const [{ month, lastSelected }, setShown] = useState({
    month: selected.slice(0, 7),
    lastSelected: selected,
  })
  // A date that is selected elsewhere is shown.
  if (selected !== lastSelected) setShown({ month: selected.slice(0, 7), lastSelected: selected })
  const grid = useRef<HTMLDivElement>(null)
  const isMoved = useRef(false)
  useLayoutEffect(() => {
    if (!isMoved.current) return
    isMoved.current = false
    grid.current?.querySelector<HTMLElement>(`[data-date="${selected}"]`)?.focus()
  }, [selected])
  const onKeyDown = (event: KeyboardEvent) => {
    const step = STEPS[event.key]
    if (step === undefined) return
    // The arrow keys would also move the focus (app/remote-control.ts).
    event.preventDefault()
    isMoved.current = true
    onSelect(addDays(selected, step))
  }
  const dates = weeksOf(month)
  const stop = dates.includes(selected) ? selected : dates.find((date) => date.startsWith(month))
  const turn = (months: number) => setShown({ month: monthAfter(month, months), lastSelected })
  return (
    <div className="grid gap-2">
      <div className="flex items-center gap-2">
        <h3 aria-live="polite" className="mr-auto text-lg font-semibold">
          {monthText(month)}
        </h3>
        <IconButton icon="back" label="Previous month" onClick={() => turn(-1)} />
        <IconButton icon="forward" label="Next month" onClick={() => turn(1)} />
      </div>
      <div ref={grid}>
        <div aria-hidden="true" className="grid grid-cols-7 pb-1 text-center text-sm text-muted">
          {WEEKDAYS.map(({ id, short }) => (
            <span key={id}>{short}</span>
          ))}
        </div>
        <div className="grid grid-cols-7 gap-px overflow-hidden rounded-lg border border-line/70 bg-line/70">
          {dates.map((date) => (
            <DayCell
              key={date}
              {...props}
              date={date}
              isInMonth={date.startsWith(month)}
              isTabStop={date === stop}
              onKeyDown={onKeyDown}
            />
          ))}
        </div>
      </div>
    </div>
  )
}

function DayCell(props: {
  document: ScheduleDocument
  date: string
  today: string
  selected: string
  isInMonth: boolean
  isTabStop: boolean
  onSelect: (date: string) => void
  onKeyDown: (event: KeyboardEvent) => void
}) {
  const { date, selected } = props
  const { override, specials } = specialsOn(props.document, date)
  const holiday = override && (override.name ?? override.id)
  const texts = [dateText(date), ...(holiday ? [holiday] : []), ...specials.map(({ name }) => name)]
  const more = specials.length - SHOWN
  return (
    <button
      type="button"
      data-date={date}
      tabIndex={props.isTabStop ? 0 : -1}
      aria-pressed={date === selected}
      aria-current={date === props.today ? 'date' : undefined}
      aria-label={texts.join(', ')}
      onClick={() => props.onSelect(date)}
      onKeyDown={props.onKeyDown}
      className={classNames(
        'flex min-h-14 min-w-0 flex-col items-stretch gap-0.5 p-1 text-left text-xs hover:bg-raised focus-visible:z-10 focus-visible:-outline-offset-2 sm:min-h-20',
        date === selected ? 'bg-raised ring-2 ring-accent ring-inset' : 'bg-panel',
        !props.isInMonth && 'text-muted',
      )}
    >
      <span
        className={classNames(
          'tabular-nums',
          date === props.today &&
            'font-bold text-text underline decoration-accent decoration-2 underline-offset-4',
        )}
      >
        {Number(date.slice(8))}
      </span>
      {holiday && (
        <span className="truncate rounded-sm bg-accent px-1 font-semibold text-on-accent">{holiday}</span>
      )}
      {specials.slice(0, SHOWN).map((special) => (
        <span
          key={special.id}
          className="truncate rounded-sm border-l-4 border-line bg-deep px-1 text-text"
          style={special.colour ? { borderLeftColor: special.colour } : undefined}
        >
          <span className="max-sm:hidden">{startLabel(special)} </span>
          {special.name}
        </span>
      ))}
      {more > 0 && <span className="text-muted">+{more}</span>}
    </button>
  )
}
