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
