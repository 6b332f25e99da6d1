import { dateLocale } from './date-locale.ts'

const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
] as const

/** How long ago an instant was, in the viewer's locale: "5 minutes ago", "yesterday"; "now" within the minute. */
export function timeAgo(instant: string, nowMs: number, locale = dateLocale): string {
  const format = new Intl.RelativeTimeFormat(locale, { numeric: 'auto' })
  const seconds = Math.max(0, (nowMs - Date.parse(instant)) / 1000)
  for (const [unit, length] of UNITS) {
    if (seconds >= length) return format.format(-Math.floor(seconds / length), unit)
  }
  return format.format(0, 'second')
}

/** A waiting time as text, rounded up: "42 seconds", "4 minutes", "2 hours". Switches the unit at 100. */
export function waitText(ms: number): string {
  const seconds = Math.max(1, Math.ceil(ms / 1000))
  if (seconds < 100) return count(seconds, 'second')
  const minutes = Math.ceil(seconds / 60)
  return minutes < 100 ? count(minutes, 'minute') : count(Math.ceil(minutes / 60), 'hour')
}

const count = (number: number, unit: string): string => `${number} ${unit}${number === 1 ? '' : 's'}`
