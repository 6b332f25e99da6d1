import { Temporal } from 'temporal-polyfill'

const DAY_MS = 86_400_000
const MINUTE_MS = 60_000
const EPOCH = Temporal.PlainDate.from('1970-01-01')
const WEEKDAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

/** A local calendar date as the number of days since 1970-01-01. */
export type DayNumber = number

/** Whether a name is an IANA time zone of the runtime. */
export function isTimeZone(name: string): boolean {
  try {
    Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(name)
    // An offset such as `+02:00` is valid for Temporal, but it has no clock changes and no name for viewers.
    return /^[A-Za-z]/.test(name)
  } catch {
    return false
  }
}

/** The day number of an ISO date; undefined if the date does not exist (`2026-02-30`). */
export function dayNumber(isoDate: string): DayNumber | undefined {
  try {
    return EPOCH.until(Temporal.PlainDate.from(isoDate, { overflow: 'reject' }), { largestUnit: 'days' }).days
  } catch {
    return undefined
  }
}

/** The date as `YYYY-MM-DD`. */
export function isoDate(day: DayNumber): string {
  return EPOCH.add({ days: day }).toString()
}

/** The weekday of a day number, negative ones included. */
export function weekdayOf(day: DayNumber): (typeof WEEKDAYS)[number] {
  // 1970-01-01 was a Thursday.
  return WEEKDAYS[(((day + 3) % 7) + 7) % 7] as (typeof WEEKDAYS)[number]
}

/** Minutes since midnight of a time of day such as `23:30` or `24:00`. */
export function minutesOf(timeOfDay: string): number {
  return Number(timeOfDay.slice(0, 2)) * 60 + Number(timeOfDay.slice(3, 5))
}

/**
 * Converts between local times of one time zone and instants. To save time, Temporal is called once per date: on a date
 * of 24 hours without a clock change, a local time is the start of the date plus an offset.
 */
export class LocalDays {
  readonly #timeZone: string
  readonly #starts = new Map<DayNumber, number>()

  constructor(timeZone: string) {
    this.#timeZone = timeZone
  }

  /** The first instant of a local date (epoch ms). A date that the zone skips starts when the next one does. */
  startOf(day: DayNumber): number {
    let startMs = this.#starts.get(day)
    if (startMs === undefined) {
      startMs = EPOCH.add({ days: day }).toZonedDateTime(this.#timeZone).epochMilliseconds
      this.#starts.set(day, startMs)
    }
    return startMs
  }

  /** The local date of an instant (epoch ms). */
  dayOf(instantMs: number): DayNumber {
    let day = Math.floor(instantMs / DAY_MS)
    while (this.startOf(day) > instantMs) day -= 1
    while (this.startOf(day + 1) <= instantMs) day += 1
    return day
  }

  /**
   * The instant (epoch ms) of a local time, in ms since midnight. A time that does not exist because the clock goes
   * forward is the first instant after the change; a time that exists twice is the first of the two.
   */
  instantOf(day: DayNumber, msOfDay: number): number {
    const wholeDays = Math.floor(msOfDay / DAY_MS)
    const date = day + wholeDays
    const rest = msOfDay - wholeDays * DAY_MS
    const startMs = this.startOf(date)
    if (this.startOf(date + 1) - startMs === DAY_MS) return startMs + rest
    const local = EPOCH.add({ days: date }).toPlainDateTime().add({ milliseconds: rest })
    const found = local.toZonedDateTime(this.#timeZone, { disambiguation: 'compatible' })
    if (found.toPlainDateTime().equals(local)) return found.epochMilliseconds
    const before = local.toZonedDateTime(this.#timeZone, { disambiguation: 'earlier' })
    return (before.getTimeZoneTransition('next') ?? found).epochMilliseconds
  }

  /** The next instant (epoch ms) after `instantMs` at which it is this time of day. */
  nextAt(instantMs: number, time: string): number {
    const day = this.dayOf(instantMs)
    const today = this.instantOf(day, minutesOf(time) * MINUTE_MS)
    return today > instantMs ? today : this.instantOf(day + 1, minutesOf(time) * MINUTE_MS)
  }

  /** Whether an instant is within a daily window of local times; a window may span midnight. */
  isWithin(instantMs: number, from: string, to: string): boolean {
    const day = this.dayOf(instantMs)
    const [fromMs, toMs] = [minutesOf(from) * MINUTE_MS, minutesOf(to) * MINUTE_MS]
    const spans = (start: DayNumber, end: DayNumber) =>
      instantMs >= this.instantOf(start, fromMs) && instantMs < this.instantOf(end, toMs)
    return toMs > fromMs ? spans(day, day) : spans(day, day + 1) || spans(day - 1, day)
  }
}
