import { separateArtists } from '@looptide/playhead/shuffle'
import { MIN_PROGRAMME_MS } from './rules.ts'

/** An item of a channel's loop: a playlist item, or a video of the library. */
export interface LoopItem {
  itemId: string
  videoId: string
  videoVersion: number
  durationMs: number
  /** The key for artist separation: the artist, or the video itself if the artist is unknown. */
  artist: string
}

/** One pass through a loop (stored as `round`): its order, and how many of its items are planned. */
export interface Cycle {
  /** The sequence number of the cycle's first programme. */
  cycleSeq: number
  order: readonly LoopItem[]
  nextIndex: number
}

/** A programme before it is written. */
interface LoopProgramme {
  seq: number
  cycleSeq: number
  itemId: string
  videoId: string
  videoVersion: number
  startsAtMs: number
  endsAtMs: number
}

/** What a channel repeats: its items, whether they are shuffled, and the seed of the shuffle. */
export interface Loop {
  items: readonly LoopItem[]
  shuffle: boolean
  seed: string
}

interface PlanStart {
  seq: number
  /** Epoch ms. */
  startsAtMs: number
  previousArtist: string | null
  /** The rest of the current cycle; null starts a new one. */
  cycle: Cycle | null
}

export interface LoopPlan {
  programmes: LoopProgramme[]
  /** The cycle in which the plan ends; null if there is nothing to play. */
  cycle: Cycle | null
}

/**
 * Plans programmes from `start` until `untilMs` (epoch ms). Each programme starts when its predecessor ends. A pure
 * function: the same input gives the same plan.
 *
 * @param max most programmes, even if `untilMs` is not reached
 */
export function planLoop(loop: Loop, start: PlanStart, untilMs: number, max: number): LoopPlan {
  const programmes: LoopProgramme[] = []
  let { seq, startsAtMs, previousArtist, cycle } = start
  while (startsAtMs < untilMs && programmes.length < max) {
    if (cycle === null || cycle.nextIndex >= cycle.order.length) {
      if (loop.items.length === 0) break
      cycle = { cycleSeq: seq, order: orderOfCycle(loop, seq, previousArtist), nextIndex: 0 }
    }
    const item = cycle.order[cycle.nextIndex]
    if (item === undefined) break
    const endsAtMs = startsAtMs + Math.max(item.durationMs, MIN_PROGRAMME_MS)
    const { itemId, videoId, videoVersion } = item
    programmes.push({ seq, cycleSeq: cycle.cycleSeq, itemId, videoId, videoVersion, startsAtMs, endsAtMs })
    cycle = { ...cycle, nextIndex: cycle.nextIndex + 1 }
    previousArtist = item.artist
    startsAtMs = endsAtMs
    seq += 1
  }
  return { programmes, cycle }
}

/** The order of the cycle whose first programme is `seq`. */
function orderOfCycle(loop: Loop, seq: number, previousArtist: string | null): readonly LoopItem[] {
  if (!loop.shuffle) return loop.items
  return separateArtists(loop.items, (item) => item.artist, `${loop.seed}:${seq}`, { previousArtist })
}
