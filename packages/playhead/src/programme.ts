/**
 * One row of a channel's timeline: a video with its exact place on the wall clock.
 * Rows are sorted by `seq`, touch or leave a gap, and never overlap.
 */
export interface Programme {
  id: string
  seq: number
  /** Null for a card, which has no video. */
  videoId: string | null
  /** Epoch ms; the programme is on from this instant … */
  startsAtMs: number
  /** … up to, not including, this one (epoch ms). */
  endsAtMs: number
}

/** A timeline update: `programmes` replace all programmes from `fromSeq` on. */
export interface TimelineUpdate<P extends Programme> {
  fromSeq: number
  programmes: readonly P[]
}

/** Index of the first programme that ends after `nowMs`, or the length when all are over. */
function firstUnfinished(programmes: readonly Programme[], nowMs: number): number {
  let low = 0
  let high = programmes.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const programme = programmes[middle]
    if (programme && programme.endsAtMs <= nowMs) low = middle + 1
    else high = middle
  }
  return low
}

/** The programme on the air at `nowMs` (epoch ms): the one with start ≤ now < end, else undefined. */
export function programmeAt<P extends Programme>(programmes: readonly P[], nowMs: number): P | undefined {
  const candidate = programmes[firstUnfinished(programmes, nowMs)]
  return candidate && candidate.startsAtMs <= nowMs ? candidate : undefined
}

/** Position in the programme at `nowMs`, in ms from its start, clamped to [0, duration]. */
export function positionMs(programme: Programme, nowMs: number): number {
  return Math.min(Math.max(nowMs - programme.startsAtMs, 0), programme.endsAtMs - programme.startsAtMs)
}

/** The next `count` programmes that start after `nowMs` (epoch ms), in order; what is on is not among them. */
export function upNext<P extends Programme>(programmes: readonly P[], nowMs: number, count: number): P[] {
  let index = firstUnfinished(programmes, nowMs)
  const candidate = programmes[index]
  if (candidate && candidate.startsAtMs <= nowMs) index += 1
  return programmes.slice(index, index + Math.max(count, 0))
}

/**
 * The next instant (epoch ms, > now) at which what is on changes: the end of the current programme or,
 * inside a gap, the start of the next one. Undefined when nothing follows.
 */
export function nextBoundaryMs(programmes: readonly Programme[], nowMs: number): number | undefined {
  const candidate = programmes[firstUnfinished(programmes, nowMs)]
  if (!candidate) return undefined
  return candidate.startsAtMs > nowMs ? candidate.startsAtMs : candidate.endsAtMs
}

/**
 * Applies an update to a window of programmes: everything from `fromSeq` on is replaced. A kept programme that
 * reaches into the update (a reset cut it short) is cut at the update's first start, so the result never overlaps.
 */
export function mergeProgrammes<P extends Programme>(current: readonly P[], update: TimelineUpdate<P>): P[] {
  const fresh = update.programmes
    .filter((programme) => programme.seq >= update.fromSeq)
    .toSorted((a, b) => a.seq - b.seq)
  const cutMs = fresh[0]?.startsAtMs ?? Number.POSITIVE_INFINITY
  const kept = current
    .filter((programme) => programme.seq < update.fromSeq && programme.startsAtMs < cutMs)
    .map((programme) => (programme.endsAtMs > cutMs ? { ...programme, endsAtMs: cutMs } : programme))
  return [...kept, ...fresh]
}

/** Drops programmes that ended more than `keepMs` before `nowMs`, so that a window does not grow without limit. */
export function dropPast<P extends Programme>(programmes: readonly P[], nowMs: number, keepMs = 0): P[] {
  return programmes.slice(firstUnfinished(programmes, nowMs - keepMs))
}
