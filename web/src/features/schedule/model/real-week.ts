import type { Block, Override, OverrideBlock, ScheduleDocument, Special } from '@looptide/contracts/schedule'
import { type Segment, segmentsOf } from '@looptide/planner/grid'
import { dayNumber, isoDate, LocalDays, minutesOf, weekdayOf } from '@looptide/planner/local-days'
import { DAY_MINUTES, dayIndex } from './times.ts'
import { addDays, timeIn } from './zoned-time.ts'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000

/** What a date of a week shows: a block of the week or of a holiday, or a special, as far as it is on. */
export type WeekItem =
  | { kind: 'block'; item: Block }
  | { kind: 'holiday'; item: OverrideBlock; holiday: Override }
  | { kind: 'special'; item: Special }

/** A stretch of a date, in minutes since midnight and as instants (epoch ms). */
export interface Stretch {
  from: number
  to: number
  startMs: number
  endMs: number
}

export type RealPiece = WeekItem &
  Stretch & {
    /** It has begun before: on the day before, or before something that has interrupted it. */
    isContinuation: boolean
    isHardStart: boolean
  }

/** A date of a real week. */
export interface RealDay {
  date: string
  startMs: number
  endMs: number
  holiday: Override | undefined
  pieces: RealPiece[]
}

/** The Monday of the week of a date; undefined if the date does not exist. */
export function mondayOf(date: string): string | undefined {
  const day = dayNumber(date)
  return day === undefined ? undefined : isoDate(day - dayIndex(weekdayOf(day)))
}

/** The seven dates from a Monday on with what is on: holidays replace blocks, and specials replace both. */
export function realWeek(document: ScheduleDocument, monday: string): RealDay[] {
  const { timeZone, overrides = [] } = document
  const zone = new LocalDays(timeZone)
  const first = dayNumber(monday) ?? 0
  const starts = Array.from({ length: 8 }, (_, day) => zone.startOf(first + day))
  const holidayOf = new Map(overrides.flatMap((holiday) => holiday.blocks.map((block) => [block, holiday])))
  const segments = segmentsOf(document, starts[0] ?? 0, starts[7] ?? 0)
  return Array.from({ length: 7 }, (_, day) => {
    const date = addDays(monday, day)
    const [startMs, endMs] = [starts[day] ?? 0, starts[day + 1] ?? 0]
    return {
      ...{ date, startMs, endMs },
      holiday: overrides.find(({ from, to }) => from <= date && date <= to),
      pieces: segments.flatMap((segment): RealPiece[] => {
        const stretch = stretchOn({ startMs, endMs }, timeZone, segment)
        const item = itemOf(segment, holidayOf)
        if (item === undefined || stretch === undefined) return []
        const isContinuation = stretch.startMs !== segment.occurrenceMs
        return [{ ...item, ...stretch, isContinuation, isHardStart: segment.isHardStart && !isContinuation }]
      }),
    }
  })
}

function itemOf({ item }: Segment, holidayOf: ReadonlyMap<OverrideBlock, Override>): WeekItem | undefined {
  if (item === null) return undefined
  if ('at' in item) return { kind: 'special', item }
  const holiday = holidayOf.get(item)
  if (holiday !== undefined) return { kind: 'holiday', item, holiday }
  return item.days === undefined ? undefined : { kind: 'block', item: { ...item, days: item.days } }
}

/** The part of a time that is on a date, placed by the local time; undefined if there is none. */
function stretchOn(
  day: Pick<RealDay, 'startMs' | 'endMs'>,
  timeZone: string,
  time: { startMs: number; endMs: number },
): Stretch | undefined {
  const [startMs, endMs] = [Math.max(day.startMs, time.startMs), Math.min(day.endMs, time.endMs)]
  if (startMs >= endMs) return undefined
  const from = minuteOf(day, timeZone, startMs)
  const to = endMs === day.endMs ? DAY_MINUTES : minuteOf(day, timeZone, endMs)
  // When the clock goes back, an end may be before its start by local time.
  return { startMs, endMs, from, to: Math.max(to, from) }
}

/** A takeover, in front of what the schedule would have aired (epoch ms). */
export interface ShownTakeover {
  title: string
  startMs: number
  endMs: number
}

/** The parts of takeovers that are on a date. */
export const takeoversOn = (
  day: Pick<RealDay, 'startMs' | 'endMs'>,
  timeZone: string,
  takeovers: readonly ShownTakeover[],
): (Stretch & { title: string })[] =>
  takeovers.flatMap((takeover) => {
    const stretch = stretchOn(day, timeZone, takeover)
    return stretch === undefined ? [] : [{ ...stretch, title: takeover.title }]
  })

/** The minute since midnight of an instant (epoch ms) by the local time of its date. */
export function minuteOf(day: Pick<RealDay, 'startMs' | 'endMs'>, timeZone: string, atMs: number): number {
  if (day.endMs - day.startMs === DAY_MS) return (atMs - day.startMs) / MINUTE_MS
  return minutesOf(timeIn(timeZone, atMs))
}
