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
