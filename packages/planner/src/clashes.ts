import type { OverrideBlock, Weekday } from '@looptide/contracts/schedule'
import { blockMinutes } from './grid.ts'

const DAY_MINUTES = 1440
const WEEK_MINUTES = 7 * DAY_MINUTES
const ALL_DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const satisfies Weekday[]
/** Maximum number of pairs that are listed. */
const MAX_CLASHES = 100

/** The parts of a block that place it in a week; without `days`, it is on every day. */
type Placed = Pick<OverrideBlock, 'days' | 'from' | 'to'>

/** A time at which two blocks are on. */
export interface Overlap {
  /** Minutes since midnight of `day`; the end may be on the next day. */
  day: Weekday
  from: number
  to: number
  /** The days on which the first and the second block start. */
  starts: readonly [Weekday, Weekday]
}

/** Two blocks of one grid that overlap: their indexes, the lower one first, and all times at which they do. */
export interface Clash {
  first: number
  second: number
  overlaps: readonly Overlap[]
}

/** A block at one day, in minutes of the week. */
interface Span {
  index: number
  startDay: Weekday
  from: number
  to: number
}

/** The blocks of a grid that overlap, in pairs. */
export function clashesOf(blocks: readonly Placed[]): Clash[] {
  const spans = blocks.flatMap(spansOfWeek).sort((a, b) => a.from - b.from)
  const found = new Map<string, { first: number; second: number; spans: [Span, Span][] }>()
  let active: Span[] = []
  for (const span of spans) {
    active = active.filter(({ to }) => to > span.from)
    for (const other of active) {
      if (other.index === span.index) continue
      const pair: [Span, Span] = other.index < span.index ? [other, span] : [span, other]
      const key = `${pair[0].index} ${pair[1].index}`
      const known = found.get(key)
      if (known !== undefined) known.spans.push(pair)
      else if (found.size < MAX_CLASHES)
        found.set(key, { first: pair[0].index, second: pair[1].index, spans: [pair] })
    }
    active.push(span)
  }
  return [...found.values()]
    .map(({ spans: pairs, ...clash }) => ({ ...clash, overlaps: overlapsOf(pairs) }))
    .sort((a, b) => a.second - b.second || a.first - b.first)
}

/** The minutes of the week that a block covers. A block that ends after Sunday continues on Monday. */
function spansOfWeek(block: Placed, index: number): Span[] {
  const { from, to } = blockMinutes(block)
  return (block.days ?? ALL_DAYS).flatMap((startDay): Span[] => {
    const start = ALL_DAYS.indexOf(startDay) * DAY_MINUTES
    const beyond = start + to - WEEK_MINUTES
    const own = { index, startDay, from: start + from, to: Math.min(start + to, WEEK_MINUTES) }
    return beyond > 0 ? [own, { index, startDay, from: 0, to: beyond }] : [own]
  })
}

/** The times at which pairs overlap, from Monday on. One that goes on from Sunday to Monday is one time. */
function overlapsOf(pairs: readonly [Span, Span][]): Overlap[] {
  const times = pairs
    .map(([a, b]) => ({ a, b, from: Math.max(a.from, b.from), to: Math.min(a.to, b.to) }))
    .sort((one, other) => one.from - other.from)
  const [early] = times
  const late = times.findLast(({ to }) => to === WEEK_MINUTES)
  if (early?.from === 0 && late !== undefined && late !== early) {
    late.to += early.to
    times.shift()
  }
  return times.map(({ a, b, from, to }) => {
    const day = Math.floor(from / DAY_MINUTES)
    return {
      day: ALL_DAYS[day] ?? 'mon',
      from: from - day * DAY_MINUTES,
      to: to - day * DAY_MINUTES,
      starts: [a.startDay, b.startDay],
    }
  })
}
