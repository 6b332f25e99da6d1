import type { OverrideBlock, ScheduleDocument, ScheduleProblem, Weekday } from '@looptide/contracts/schedule'
import { clashesOf } from './clashes.ts'
import { startOfSpecial } from './grid.ts'
import { dayNumber, isoDate, isTimeZone, LocalDays } from './local-days.ts'

const DAY_MINUTES = 1440
const WEEKDAYS = [
  { id: 'mon', name: 'Monday' },
  { id: 'tue', name: 'Tuesday' },
  { id: 'wed', name: 'Wednesday' },
  { id: 'thu', name: 'Thursday' },
  { id: 'fri', name: 'Friday' },
  { id: 'sat', name: 'Saturday' },
  { id: 'sun', name: 'Sunday' },
] as const satisfies readonly { id: Weekday; name: string }[]

/**
 * The blocks and specials of a document that overlap. It can be planned all the same, because the one that starts later
 * is on, but it is not published.
 */
export function clashProblems(document: ScheduleDocument): ScheduleProblem[] {
  const { blocks = [], overrides = [] } = document
  return [
    ...gridProblems('/blocks', blocks),
    ...overrides.flatMap((override, index) => gridProblems(`/overrides/${index}/blocks`, override.blocks)),
    ...(isTimeZone(document.timeZone) ? specialProblems(document) : []),
  ]
}

/** One problem for each block that overlaps an earlier one of the list. */
function gridProblems(path: string, blocks: readonly OverrideBlock[]): ScheduleProblem[] {
  const seen = new Set<number>()
  return clashesOf(blocks).flatMap(({ first, second, overlaps }) => {
    const [one, other, [overlap]] = [blocks[first], blocks[second], overlaps]
    if (one === undefined || other === undefined || overlap === undefined || seen.has(second)) return []
    seen.add(second)
    const hours = `from ${timeText(overlap.from)} to ${timeText(overlap.to)}`
    const isDaily = one.days === undefined && other.days === undefined
    const days = isDaily ? '' : ` ${daysText(overlaps.map(({ day }) => day))}`
    const message = `"${other.name}" overlaps "${one.name}" ${hours}${days}.`
    return [{ path: `${path}/${second}`, message }]
  })
}

function daysText(days: readonly Weekday[]): string {
  const names = WEEKDAYS.filter(({ id }) => days.includes(id)).map(({ name }) => name)
  if (names.length === 7) return 'every day'
  const [last, ...others] = names.toReversed()
  return others.length === 0 ? `on ${last}` : `on ${others.toReversed().join(', ')} and ${last}`
}

/** Minutes since midnight of a day or the next one as a time of day; 1440 is `24:00`. */
function timeText(minutes: number): string {
  const inDay = minutes > DAY_MINUTES ? minutes - DAY_MINUTES : minutes
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`
}

function specialProblems({ timeZone, specials = [] }: ScheduleDocument): ScheduleProblem[] {
  const days = new LocalDays(timeZone)
  const localTime = (ms: number): string => {
    const day = days.dayOf(ms)
    return timeText(Math.floor((ms - days.startOf(day)) / 60_000))
  }
  const spans: { name: string; startMs: number; endMs: number }[] = []
  return specials.flatMap((special, index): ScheduleProblem[] => {
    const { name, at, durationMs } = special
    if (dayNumber(at.slice(0, 10)) === undefined) return []
    const startMs = startOfSpecial(days, special)
    const endMs = startMs + durationMs
    const other = spans.find((one) => one.startMs < endMs && startMs < one.endMs)
    spans.push({ name, startMs, endMs })
    if (other === undefined) return []
    const [fromMs, toMs] = [Math.max(startMs, other.startMs), Math.min(endMs, other.endMs)]
    const hours = `on ${isoDate(days.dayOf(fromMs))} from ${localTime(fromMs)} to ${localTime(toMs)}`
    return [{ path: `/specials/${index}`, message: `"${name}" overlaps "${other.name}" ${hours}.` }]
  })
}
