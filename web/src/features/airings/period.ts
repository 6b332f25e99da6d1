/** A range of whole local days. */
export interface Period {
  fromMs: number
  toMs: number
}

export const PERIODS = ['7 days', '28 days', '90 days', 'this month', 'last month', 'dates'] as const
export type PeriodName = (typeof PERIODS)[number]

/** The longest range that the server counts, in days. */
const MAX_DAYS = 93
const DAY_MS = 86_400_000

/** Start of a local day, `days` days after that of an instant. */
const dayStart = (atMs: number, days = 0): number => {
  const date = new Date(atMs)
  return new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).getTime()
}

const monthStart = (atMs: number, months = 0): number => {
  const date = new Date(atMs)
  return new Date(date.getFullYear(), date.getMonth() + months, 1).getTime()
}

/** The range of a named period; today is part of those that end now. */
export function periodOf(name: Exclude<PeriodName, 'dates'>, nowMs: number): Period {
  if (name === 'this month') return { fromMs: monthStart(nowMs), toMs: dayStart(nowMs, 1) }
  if (name === 'last month') return { fromMs: monthStart(nowMs, -1), toMs: monthStart(nowMs) }
  const days = Number.parseInt(name, 10)
  return { fromMs: dayStart(nowMs, 1 - days), toMs: dayStart(nowMs, 1) }
}

/** The range of two dates (`YYYY-MM-DD`), both included, or what is wrong with them. */
export function periodOfDates(from: string, to: string): Period | { problem: string } {
  const [fromMs, lastMs] = [Date.parse(`${from}T00:00`), Date.parse(`${to}T00:00`)]
  if (Number.isNaN(fromMs) || Number.isNaN(lastMs)) return { problem: 'Enter both dates.' }
  const toMs = dayStart(lastMs, 1)
  if (toMs <= fromMs) return { problem: 'The last date is before the first one.' }
  if (toMs - fromMs > MAX_DAYS * DAY_MS) return { problem: `At most ${MAX_DAYS} days at once.` }
  return { fromMs, toMs }
}
