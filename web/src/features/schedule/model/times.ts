import type { Slot, Weekday } from '@looptide/contracts/schedule'
import { minutesOf } from '@looptide/planner/local-days'
import { dateLocale } from '../../../lib/time/date-locale.ts'

/** The days of a week in the order in which the grid shows them. */
export const WEEKDAYS: readonly { id: Weekday; name: string; short: string }[] = [
  { id: 'mon', name: 'Monday', short: 'Mon' },
  { id: 'tue', name: 'Tuesday', short: 'Tue' },
  { id: 'wed', name: 'Wednesday', short: 'Wed' },
  { id: 'thu', name: 'Thursday', short: 'Thu' },
  { id: 'fri', name: 'Friday', short: 'Fri' },
  { id: 'sat', name: 'Saturday', short: 'Sat' },
  { id: 'sun', name: 'Sunday', short: 'Sun' },
]

export const ALL_DAYS: readonly Weekday[] = WEEKDAYS.map(({ id }) => id)
export const WORKDAYS: readonly Weekday[] = ALL_DAYS.slice(0, 5)
export const WEEKEND: readonly Weekday[] = ALL_DAYS.slice(5)

/** Minutes of a day, and the steps in which blocks are moved and resized. */
export const DAY_MINUTES = 1440
export const STEP_MINUTES = 15

/** The number of a weekday, from 0 for Monday. */
export const dayIndex = (day: Weekday): number => ALL_DAYS.indexOf(day)

/** The weekday a number of days later, or earlier for a negative number. */
export function dayAfter(day: Weekday, days: number): Weekday {
  return ALL_DAYS[(((dayIndex(day) + days) % 7) + 7) % 7] ?? day
}

/** The English name of a weekday. */
export const dayName = (day: Weekday): string => WEEKDAYS[dayIndex(day)]?.name ?? day

/** Days as a text: "every day", "Monday to Friday", "Saturday and Sunday", or their short names. */
export function daysText(days: readonly Weekday[]): string {
  const sorted = ALL_DAYS.filter((day) => days.includes(day))
  if (sorted.length === 7) return 'every day'
  if (sorted.join() === WORKDAYS.join()) return 'Monday to Friday'
  if (sorted.join() === WEEKEND.join()) return 'Saturday and Sunday'
  if (sorted.length === 1) return dayName(sorted[0] as Weekday)
  return sorted.map((day) => WEEKDAYS[dayIndex(day)]?.short).join(', ')
}

/** Minutes since midnight as a time of day of the document; 1440 is `24:00`, and later minutes are of the next day. */
export function timeText(minutes: number): string {
  const inDay = minutes > DAY_MINUTES ? minutes - DAY_MINUTES : minutes
  return `${String(Math.floor(inDay / 60)).padStart(2, '0')}:${String(inDay % 60).padStart(2, '0')}`
}

/** Minutes since midnight as the viewer writes them: "10:00 PM" or "22:00". */
export const timeLabel = (minutes: number): string =>
  new Date(minutes * 60_000).toLocaleTimeString(dateLocale, {
    timeZone: 'UTC',
    hour: 'numeric',
    minute: '2-digit',
  })

/** A time span as the viewer writes times: "10:00 PM–6:00 AM". */
export const spanLabel = ({ from, to }: { from: string; to: string }): string =>
  `${timeLabel(minutesOf(from))}–${timeLabel(minutesOf(to))}`

/** A duration in words: "45 s", "4 min", "1 h 30 min". */
export function durationText(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const rest = minutes % 60
  return `${Math.floor(minutes / 60)} h${rest === 0 ? '' : ` ${rest} min`}`
}

/** Playing time of a music video on average, for estimates, in ms. */
const VIDEO_MS = 225_000

/** About how long one pass through a clock takes, in ms. */
export const clockLengthMs = (slots: readonly Slot[]): number =>
  slots.reduce((sum, slot) => sum + slotLengthMs(slot), 0)

function slotLengthMs(slot: Slot): number {
  if ('durationMs' in slot) return slot.durationMs
  return (slot.count ?? 1) * VIDEO_MS
}
