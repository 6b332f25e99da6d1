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

/** Removes programmes that ended more than `keepMs` before `nowMs`, to bound the size of a window. */
export function dropPast<P extends Programme>(programmes: readonly P[], nowMs: number, keepMs = 0): P[] {
  return programmes.slice(firstUnfinished(programmes, nowMs - keepMs))
}
