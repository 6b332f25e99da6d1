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
export interface PlannedProgramme {
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

export interface Plan {
  programmes: PlannedProgramme[]
  /** The cycle in which the plan ends; null if there is nothing to play. */
  cycle: Cycle | null
}

/**
 * Plans programmes from `start` until `untilMs` (epoch ms). Each programme starts when its predecessor ends. A pure
 * function: the same input gives the same plan.
 *
 * @param max most programmes, even if `untilMs` is not reached
 */
export function planTimeline(loop: Loop, start: PlanStart, untilMs: number, max: number): Plan {
  const programmes: PlannedProgramme[] = []
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

type ComparedProgramme = Pick<
  PlannedProgramme,
  'itemId' | 'videoId' | 'videoVersion' | 'startsAtMs' | 'endsAtMs'
>

/**
 * The index of the first programme that differs between two lists, both sorted by seq from the same number; undefined
 * if they are equal.
 */
export function firstDifference(
  current: readonly ComparedProgramme[],
  planned: readonly ComparedProgramme[],
): number | undefined {
  const length = Math.max(current.length, planned.length)
  for (let index = 0; index < length; index += 1) {
    const before = current[index]
    const after = planned[index]
    if (before === undefined || after === undefined || !isSameProgramme(before, after)) return index
  }
  return undefined
}

function isSameProgramme(a: ComparedProgramme, b: ComparedProgramme): boolean {
  return (
    a.itemId === b.itemId &&
    a.videoId === b.videoId &&
    a.videoVersion === b.videoVersion &&
    a.startsAtMs === b.startsAtMs &&
    a.endsAtMs === b.endsAtMs
  )
}
