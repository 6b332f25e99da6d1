import type { AiringReport } from '@looptide/contracts/http/airings'

type Hour = AiringReport['hours'][number]

/** A point of a chart. `x`: start of the day (epoch ms), or hour of the day. */
export interface Point {
  x: number
  airings: number
  /** Average number of viewers, weighted by time; null where it is not known. */
  listeners: number | null
}

interface Sum {
  airings: number
  viewerMs: number
  countedMs: number
}

/** Adds the hours of a report up by what `xOf` says of their start. The points are in order of `x`. */
function fold(hours: readonly Hour[], xs: readonly number[], xOf: (atMs: number) => number): Point[] {
  const sums = new Map<number, Sum>(xs.map((x) => [x, { airings: 0, viewerMs: 0, countedMs: 0 }]))
  for (const { atMs, airings, playedMs, listeners } of hours) {
    const sum = sums.get(xOf(atMs))
    if (!sum) continue
    sum.airings += airings
    if (listeners === null) continue
    sum.viewerMs += listeners * playedMs
    sum.countedMs += playedMs
  }
  return [...sums].map(([x, { airings, viewerMs, countedMs }]) => ({
    x,
    airings,
    listeners: countedMs === 0 ? null : viewerMs / countedMs,
  }))
}

const dayOf = (atMs: number): number => new Date(atMs).setHours(0, 0, 0, 0)

/** One point for each local day of the range, also for those without airings. */
export function byDay(hours: readonly Hour[], { fromMs, toMs }: { fromMs: number; toMs: number }): Point[] {
  const days: number[] = []
  for (let day = new Date(dayOf(fromMs)); day.getTime() < toMs; day.setDate(day.getDate() + 1))
    days.push(day.getTime())
  return fold(hours, days, dayOf)
}

const HOURS = Array.from({ length: 24 }, (_, hour) => hour)

/** One point for each local hour of the day. */
export const byHourOfDay = (hours: readonly Hour[]): Point[] =>
  fold(hours, HOURS, (atMs) => new Date(atMs).getHours())
