import { dateLocale } from '../../lib/time/date-locale.ts'

const twoDigits = (value: number): string => String(value).padStart(2, '0')

/** An instant as the values of a date and a time input, in the viewer's zone. */
export function toInputs(epochMs: number): { date: string; time: string } {
  const at = new Date(epochMs)
  const year = String(at.getFullYear()).padStart(4, '0')
  return {
    date: `${year}-${twoDigits(at.getMonth() + 1)}-${twoDigits(at.getDate())}`,
    time: `${twoDigits(at.getHours())}:${twoDigits(at.getMinutes())}`,
  }
}

/** The instant of a date and a time input in the viewer's time zone (epoch ms); undefined if invalid. */
export function fromInputs({ date, time }: { date: string; time: string }): number | undefined {
  // A date with a time and no offset is local (ECMA-262, Date Time String Format).
  const epochMs = Date.parse(`${date}T${time}`)
  return Number.isNaN(epochMs) ? undefined : epochMs
}

/** The instant in a URL parameter (epoch ms); undefined if missing or invalid. */
export function instantFrom(text: string | null): number | undefined {
  if (text === null || !/^\d{1,15}$/.test(text)) return undefined
  return Number(text)
}

/** Entries of one day of the viewer's, in the order in which they came. `day` is a key for it, `startsAtMs` its midnight. */
interface DayGroup<E> {
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
