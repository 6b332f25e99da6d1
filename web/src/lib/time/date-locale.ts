/**
 * The locale of dates, times and numbers. The app's texts are English, so month and weekday names are too. The viewer's
 * variant of English decides the order and the clock; the default is `en-GB`: day first, 24 hours.
 * Some systems name locales that no formatter accepts, such as `en-US@posix`.
 */
export const dateLocale: string =
  navigator.languages?.find((locale) => /^en(?:-\w+)*$/i.test(locale)) ?? 'en-GB'

/** Made once: `toLocaleTimeString` would make one for each call, and the guide of a day has thousands of times. */
const clockFormat = new Intl.DateTimeFormat(dateLocale, { hour: 'numeric', minute: '2-digit' })

/** An instant (epoch ms) as hours and minutes, in the viewer's time zone and format. */
export const clockTime = (epochMs: number): string => clockFormat.format(epochMs)

const dayFormat = new Intl.DateTimeFormat(dateLocale, { weekday: 'short' })

/** An instant (epoch ms) within the next days: "Fri 20:14". */
export const dayAndTime = (epochMs: number): string => `${dayFormat.format(epochMs)} ${clockTime(epochMs)}`

const MINUTE_MS = 60_000

/** An instant (epoch ms) as the value of a `datetime-local` input, in the viewer's time zone; empty if it is invalid. */
export function localInputValue(epochMs: number): string {
  if (Number.isNaN(epochMs)) return ''
  const offsetMs = new Date(epochMs).getTimezoneOffset() * MINUTE_MS
  return new Date(epochMs - offsetMs).toISOString().slice(0, 16)
}
