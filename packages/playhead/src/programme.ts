/**
 * One row of a channel's timeline: a video with its start and end time. Rows are sorted by `seq` and never overlap; there
 * may be gaps between them.
 */
export interface Programme {
  id: string
  seq: number
  /** Null for a card, which has no video. */
  videoId: string | null
  /** Epoch ms, inclusive. */
  startsAtMs: number
  /** Epoch ms, exclusive. */
  endsAtMs: number
}

/** A timeline update: `programmes` replace all programmes from `fromSeq` on. */
export interface TimelineUpdate<P extends Programme> {
  fromSeq: number
  programmes: readonly P[]
}

/** Index of the first programme that ends after `nowMs`; the length when all have ended. */
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

/** The programme on the air at `nowMs` (epoch ms); undefined in a gap. */
export function programmeAt<P extends Programme>(programmes: readonly P[], nowMs: number): P | undefined {
  const candidate = programmes[firstUnfinished(programmes, nowMs)]
  return candidate && candidate.startsAtMs <= nowMs ? candidate : undefined
}

/** Position in the programme at `nowMs`, in ms from its start, clamped to [0, duration]. */
export function positionMs(programme: Programme, nowMs: number): number {
  return Math.min(Math.max(nowMs - programme.startsAtMs, 0), programme.endsAtMs - programme.startsAtMs)
}

/** The next `count` programmes that start after `nowMs` (epoch ms), in order. Does not include the current one. */
export function upNext<P extends Programme>(programmes: readonly P[], nowMs: number, count: number): P[] {
  let index = firstUnfinished(programmes, nowMs)
  const candidate = programmes[index]
  if (candidate && candidate.startsAtMs <= nowMs) index += 1
  return programmes.slice(index, index + Math.max(count, 0))
}

/**
 * The first instant after `nowMs` (epoch ms) at which another programme or none is on: the end of the current one or, in a
 * gap, the start of the next one. Undefined after the last programme.
 */
export function nextBoundaryMs(programmes: readonly Programme[], nowMs: number): number | undefined {
  const candidate = programmes[firstUnfinished(programmes, nowMs)]
  if (!candidate) return undefined
  return candidate.startsAtMs > nowMs ? candidate.startsAtMs : candidate.endsAtMs
}

/**
 * Applies an update to a window of programmes: everything from `fromSeq` on is replaced. A kept programme that would
 * overlap the update's first programme (after a reset) ends when that one starts.
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

/** Removes programmes that ended more than `keepMs` before `nowMs`, to bound the size of a window. */
export function dropPast<P extends Programme>(programmes: readonly P[], nowMs: number, keepMs = 0): P[] {
  return programmes.slice(firstUnfinished(programmes, nowMs - keepMs))
}
