import { dateLocale } from '../../lib/time/date-locale.ts'
/** Entries of one day of the viewer's, in the order in which they came. `day` is a key for it, `startsAtMs` its midnight. */
export interface DayGroup<E> {
  day: string
  startsAtMs: number
  entries: E[]
}

/** Entries, sorted by time, under the day (of the viewer's zone) on which they began. */
export function groupByDay<E extends { startedAtMs: number }>(entries: readonly E[]): DayGroup<E>[] {
  const groups: DayGroup<E>[] = []
  for (const entry of entries) {
    const startsAtMs = new Date(entry.startedAtMs).setHours(0, 0, 0, 0)
    const last = groups.at(-1)
    if (last?.startsAtMs === startsAtMs) last.entries.push(entry)
    else groups.push({ day: String(startsAtMs), startsAtMs, entries: [entry] })
  }
  return groups
}

/** 'Today', 'Yesterday', or the date, as seen at `nowMs`. */
export function dayTitle(epochMs: number, nowMs: number): string {
  const date = new Date(epochMs)
  const long = date.toLocaleDateString(dateLocale, { weekday: 'long', day: 'numeric', month: 'long' })
  const dayStart = (instant: number | Date) => new Date(instant).setHours(0, 0, 0, 0)
  const yesterday = new Date(nowMs)
  yesterday.setDate(yesterday.getDate() - 1)
  if (dayStart(date) === dayStart(nowMs)) return `Today, ${long}`
  if (dayStart(date) === dayStart(yesterday)) return `Yesterday, ${long}`
  const isThisYear = date.getFullYear() === new Date(nowMs).getFullYear()
  return isThisYear ? long : `${long} ${date.getFullYear()}`
}
