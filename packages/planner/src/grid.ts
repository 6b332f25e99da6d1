import type { Block, OverrideBlock, ScheduleDocument, Special } from '@looptide/contracts/schedule'
import { type DayNumber, dayNumber, LocalDays, minutesOf, weekdayOf } from './local-days.ts'

const MINUTE_MS = 60_000

/** A block, a block of an override, or a special. */
type Item = Block | OverrideBlock | Special

/**
 * A stretch of time that one item or, with `item: null`, the default source programmes. An item that is interrupted has
 * several segments with the same `occurrenceMs`.
 */
export interface Segment {
  item: Item | null
  kind: 'block' | 'special' | 'default'
  /** Epoch ms; the segment ends before `endMs`. */
  startMs: number
  endMs: number
  /** Start (epoch ms) of the block or special that the segment belongs to. */
  occurrenceMs: number
  /** Whether the segment starts to the millisecond. Only the first segment of an item can. */
  isHardStart: boolean
}

/** An item at one date. Of those that overlap, the one with the highest rank is on; of equal ranks, the later one. */
interface Occurrence {
  item: Item
  rank: 0 | 1 | 2
  startMs: number
  endMs: number
}

/**
 * The segments of a schedule from `fromMs` to `toMs` (epoch ms): adjacent, without gaps, in order. Specials replace
 * blocks of overrides, and these replace weekly blocks that reach into their dates.
 */
export function segmentsOf(document: ScheduleDocument, fromMs: number, toMs: number): Segment[] {
  const days = new LocalDays(document.timeZone)
  const occurrences = [
    ...gridOccurrences(document, days, fromMs, toMs),
    ...(document.specials ?? []).map((special): Occurrence => {
      const startMs = startOfSpecial(days, special)
      return { item: special, rank: 2, startMs, endMs: startMs + special.durationMs }
    }),
  ].filter(({ startMs, endMs }) => startMs < endMs && startMs < toMs && endMs > fromMs)
  return toSegments(occurrences, fromMs, toMs)
}

/** The instant (epoch ms) at which a special starts. */
export function startOfSpecial(days: LocalDays, { at }: Special): number {
  const day = dayNumber(at.slice(0, 10)) ?? 0
  const seconds = Number(at.slice(17, 19) || '0')
  return days.instantOf(day, minutesOf(at.slice(11, 16)) * MINUTE_MS + seconds * 1000)
}

function gridOccurrences(
  document: ScheduleDocument,
  days: LocalDays,
  fromMs: number,
  toMs: number,
): Occurrence[] {
  const overrides = (document.overrides ?? []).map(({ from, to, blocks }) => ({
    first: dayNumber(from) ?? 0,
    last: dayNumber(to) ?? -1,
    blocks,
  }))
  const found: Occurrence[] = []
  // A block is at most 24 hours long, so that of the day before may still be on.
  for (let day = days.dayOf(fromMs) - 1; day <= days.dayOf(toMs); day += 1) {
    const override = overrides.find(({ first, last }) => first <= day && day <= last)
    const rank = override === undefined ? 0 : 1
    for (const block of override?.blocks ?? document.blocks ?? []) {
      if (block.days?.includes(weekdayOf(day)) ?? true)
        found.push({ item: block, rank, ...spanOf(days, day, block) })
    }
  }
  return found
}

function spanOf(days: LocalDays, day: DayNumber, block: OverrideBlock): { startMs: number; endMs: number } {
  const { from, to } = blockMinutes(block)
  return { startMs: days.instantOf(day, from * MINUTE_MS), endMs: days.instantOf(day, to * MINUTE_MS) }
}

/** A block's start and end in minutes since midnight of the day it starts on. */
export function blockMinutes({ from, to }: Pick<OverrideBlock, 'from' | 'to'>): { from: number; to: number } {
  const start = minutesOf(from)
  const end = minutesOf(to)
  return { from: start, to: end > start ? end : end + 1440 }
}

function toSegments(occurrences: readonly Occurrence[], fromMs: number, toMs: number): Segment[] {
  const bounds = occurrences.flatMap(({ startMs, endMs }) => [startMs, endMs])
  const edges = [...new Set([fromMs, toMs, ...bounds])]
    .filter((ms) => ms >= fromMs && ms <= toMs)
    .sort((a, b) => a - b)
  const byStart = occurrences.toSorted((a, b) => a.startMs - b.startMs)
  const segments: Segment[] = []
  let active: Occurrence[] = []
  let next = 0
  for (const [index, startMs] of edges.slice(0, -1).entries()) {
    active = active.filter(({ endMs }) => endMs > startMs)
    for (
      let starting = byStart[next];
      starting !== undefined && starting.startMs <= startMs;
      starting = byStart[next]
    ) {
      active.push(starting)
      next += 1
    }
    append(segments, active, startMs, edges[index + 1] as number)
  }
  return segments
}

/** Appends the segment between two edges, or extends the last segment if the same item continues. */
function append(segments: Segment[], active: readonly Occurrence[], startMs: number, endMs: number): void {
  const [first, ...others] = active
  const on = others.reduce<Occurrence | undefined>(
    (best, one) => (best === undefined || isAbove(one, best) ? one : best),
    first,
  )
  const item = on?.item ?? null
  const last = segments.at(-1)
  if (last !== undefined && last.item === item && (item === null || last.occurrenceMs === on?.startMs)) {
    last.endMs = endMs
    return
  }
  segments.push({
    item,
    kind: item === null ? 'default' : 'at' in item ? 'special' : 'block',
    startMs,
    endMs,
    occurrenceMs: on?.startMs ?? startMs,
    isHardStart: item?.start === 'hard' && on?.startMs === startMs,
  })
}

function isAbove(a: Occurrence, b: Occurrence): boolean {
  return a.rank === b.rank ? a.startMs >= b.startMs : a.rank > b.rank
}
