import { dayNumber, isoDate, LocalDays, minutesOf } from '@looptide/planner/local-days'
import { dateLocale } from '../../../lib/time/date-locale.ts'

const MINUTE_MS = 60_000

/** The time zone of this browser. */
export const browserZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone

/** The instant (epoch ms) of a local date and time of day in a time zone. */
export function instantOf(timeZone: string, date: string, time: string): number {
  return new LocalDays(timeZone).instantOf(dayNumber(date) ?? 0, minutesOf(time) * MINUTE_MS)
}

/** The local date of an instant (epoch ms), such as `2026-11-27`. */
export const dateIn = (timeZone: string, instantMs: number): string =>
  isoDate(new LocalDays(timeZone).dayOf(instantMs))

/** The time of day of an instant (epoch ms) as a time field has it: `20:00`. */
export const timeIn = (timeZone: string, instantMs: number): string =>
  new Date(instantMs).toLocaleTimeString('en-GB', { timeZone, hour: '2-digit', minute: '2-digit' })

/** The time of day with seconds, for programmes. */
export const exactTimeIn = (timeZone: string, instantMs: number): string =>
  new Date(instantMs).toLocaleTimeString(dateLocale, {
    timeZone,
    hour: 'numeric',
    minute: '2-digit',
    second: '2-digit',
  })

/** An instant (epoch ms) as date and time: "Fri 27 Nov, 20:00". */
export const dateTimeIn = (timeZone: string, instantMs: number): string =>
  new Date(instantMs).toLocaleString(dateLocale, {
    timeZone,
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: 'numeric',
    minute: '2-digit',
  })

/** A local date as a text: "Friday, 27 November 2026". */
export const dateText = (date: string): string =>
  new Date(`${date}T00:00:00Z`).toLocaleDateString(dateLocale, {
    timeZone: 'UTC',
    weekday: 'long',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
  })

/** The local date a number of days later. An unreadable date is returned unchanged. */
export function addDays(date: string, days: number): string {
  const day = dayNumber(date)
  return day === undefined ? date : isoDate(day + days)
}

/** The number of days from a local date to a later one; 0 if one of them does not exist. */
export const daysBetween = (from: string, to: string): number =>
  Math.max(0, (dayNumber(to) ?? 0) - (dayNumber(from) ?? dayNumber(to) ?? 0))
