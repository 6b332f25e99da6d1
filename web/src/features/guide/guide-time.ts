import { GUIDE_STEP_MS } from '@looptide/contracts/http/guide'
import { dateLocale } from '../../lib/time/date-locale.ts'

export const HOUR_MS = 3_600_000
/** docs/product/viewer.md §9: the guide has 24 hourly columns. */
export const GUIDE_HOURS = 24
/** docs/product/viewer.md §9: a programme that starts within 60 s is live. */
const LIVE_WINDOW_MS = 60_000

interface Span {
  startsAtMs: number
  endsAtMs: number
}

/** The start of the viewer's current hour, in epoch ms. Time zones may differ from UTC by quarters of an hour. */
export function currentHourMs(nowMs: number): number {
  const hourMs = new Date(nowMs).setMinutes(0, 0, 0)
  return hourMs - (hourMs % GUIDE_STEP_MS)
}

/** Whether `nowMs` (epoch ms) is within the span. */
export const isOnAir = ({ startsAtMs, endsAtMs }: Span, nowMs: number): boolean =>
  startsAtMs <= nowMs && nowMs < endsAtMs

/** Whether a programme is on the air, or starts or started within the live window (docs/product/viewer.md §3). */
export const isLive = (span: Span, nowMs: number): boolean =>
  isOnAir(span, nowMs) || Math.abs(span.startsAtMs - nowMs) <= LIVE_WINDOW_MS

/** The day of an instant (epoch ms) in the viewer's time zone, with its weekday: 'Fri 27 Nov'. */
export const dayName = (epochMs: number): string =>
  new Date(epochMs).toLocaleDateString(dateLocale, { weekday: 'short', day: 'numeric', month: 'short' })

/** The days that can be chosen: today and the two after it. */
export const GUIDE_DAYS = 3
const DAY_MS = 24 * HOUR_MS

/** Midnight in the viewer's time zone, `daysLater` days after the day of an instant (epoch ms). */
function midnightMs(epochMs: number, daysLater = 0): number {
  const day = new Date(epochMs)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + daysLater).getTime()
}

/** Where the guide of a day begins (epoch ms): today with the current hour, later days at midnight. */
export const dayStartMs = (nowMs: number, daysAhead: number): number =>
  daysAhead === 0 ? currentHourMs(nowMs) : midnightMs(nowMs, daysAhead)

/** The number of days from today to the day of an instant (epoch ms). Days may have 23 or 25 hours. */
export const daysAheadOf = (nowMs: number, epochMs: number): number =>
  Math.round((midnightMs(epochMs) - midnightMs(nowMs)) / DAY_MS)

/** The name of a day in the day picker. */
export function dayLabel(nowMs: number, daysAhead: number): string {
  if (daysAhead === 0) return 'Today'
  return daysAhead === 1 ? 'Tomorrow' : dayName(dayStartMs(nowMs, daysAhead))
}

/** Hours from `fromMs` to an instant within the grid (epoch ms); instants outside count as its edge. */
export const gridHours = (fromMs: number, epochMs: number): number =>
  Math.min(Math.max((epochMs - fromMs) / HOUR_MS, 0), GUIDE_HOURS)
