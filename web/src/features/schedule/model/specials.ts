import type {
  Block,
  Override,
  OverrideBlock,
  ScheduleDocument,
  Special,
  Weekday,
} from '@looptide/contracts/schedule'
import { dayNumber, minutesOf, weekdayOf } from '@looptide/planner/local-days'
import { withoutClashes } from './clash-edits.ts'
import { newId } from './names.ts'
import { timeLabel } from './times.ts'
import { addDays } from './zoned-time.ts'

/** The local date of a special. */
export const dateOf = ({ at }: Pick<Special, 'at'>): string => at.slice(0, 10)
/** The local start time of a special. */
export const timeOf = ({ at }: Pick<Special, 'at'>): string => at.slice(11, 16)

/** The local start time as the viewer writes it. */
export const startLabel = (special: Pick<Special, 'at'>): string => timeLabel(minutesOf(timeOf(special)))

/** Adds copies of a special on other dates, at the same time of day. */
export function repeatOn(
  specials: readonly Special[],
  special: Special,
  dates: readonly string[],
): Special[] {
  const all = [...specials]
  for (const date of dates)
    all.push({ ...special, id: newId(special.name, all), at: `${date}${special.at.slice(10)}` })
  return all
}

/** The dates of the same weekday in the following weeks. */
export const weeklyAfter = (special: Special, times: number): string[] =>
  Array.from({ length: times }, (_, week) => addDays(dateOf(special), 7 * (week + 1)))

/** The override that applies to a date. */
const overrideOn = (overrides: readonly Override[] | undefined, date: string): Override | undefined =>
  overrides?.find(({ from, to }) => from <= date && date <= to)

/** The weekday of a date; undefined if the date does not exist. */
export function weekdayOfDate(date: string): Weekday | undefined {
  const day = dayNumber(date)
  return day === undefined ? undefined : weekdayOf(day)
}

/** The blocks that start on a weekday, as blocks of an override. Those that overlap are as they air, one after the other. */
export const blocksOfDay = (blocks: readonly Block[] | undefined, day: Weekday): OverrideBlock[] =>
  withoutClashes(
    (blocks ?? []).filter(({ days }) => days.includes(day)).map(({ days: _days, ...block }) => block),
  )

/** What is special about a date: its override, and the specials that start on it, in order of time. */
export function specialsOn(
  { overrides, specials = [] }: ScheduleDocument,
  date: string,
): { override: Override | undefined; specials: Special[] } {
  return {
    override: overrideOn(overrides, date),
    specials: specials.filter((special) => dateOf(special) === date).sort((a, b) => (a.at < b.at ? -1 : 1)),
  }
}
