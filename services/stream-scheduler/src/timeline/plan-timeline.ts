import { separateArtists } from '@looptide/playhead/shuffle'
import { MIN_PROGRAMME_MS } from './rules.ts'

/** One place of a channel's loop: a playlist's row, or a video of the catalogue itself. */
export interface LoopItem {
  itemId: string
  videoId: string
  videoVersion: number
  durationMs: number
  /** Whom to keep apart: the artist, or the video itself where the artist is unknown. */
  artist: string
}

/** The round in which a timeline's end lies: its order, and how many of it are laid out. */
export interface Round {
  /** The sequence number with which the round began. */
  roundSeq: number
  order: readonly LoopItem[]
  nextPlace: number
}

/** A programme before it is written. */
export interface PlannedProgramme {
  seq: number
  roundSeq: number
  itemId: string
  videoId: string
  videoVersion: number
  startsAtMs: number
  endsAtMs: number
}

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
  /** What is left of a round that has begun; null begins a new one. */
  round: Round | null
}

export interface Plan {
  programmes: PlannedProgramme[]
  /** Null when there is nothing to play. */
  round: Round | null
}

/**
 * Lays a loop out on the clock from `start` until `untilMs` (epoch ms) is covered: each programme begins where
 * the one before ends. Pure: the same input gives the same plan.
 *
 * @param most stops after so many programmes, covered or not
 */
export function planTimeline(loop: Loop, start: PlanStart, untilMs: number, most: number): Plan {
  const programmes: PlannedProgramme[] = []
  let { seq, startsAtMs, previousArtist, round } = start
  while (startsAtMs < untilMs && programmes.length < most) {
    if (round === null || round.nextPlace >= round.order.length) {
      if (loop.items.length === 0) break
      round = { roundSeq: seq, order: nextRound(loop, seq, previousArtist), nextPlace: 0 }
    }
    const item = round.order[round.nextPlace]
    if (item === undefined) break
    const endsAtMs = startsAtMs + Math.max(item.durationMs, MIN_PROGRAMME_MS)
    const { itemId, videoId, videoVersion } = item
    programmes.push({ seq, roundSeq: round.roundSeq, itemId, videoId, videoVersion, startsAtMs, endsAtMs })
    round = { ...round, nextPlace: round.nextPlace + 1 }
    previousArtist = item.artist
    startsAtMs = endsAtMs
    seq += 1
  }
  return { programmes, round }
}

/** The order of a round that begins with programme `seq`. */
function nextRound(loop: Loop, seq: number, previousArtist: string | null): readonly LoopItem[] {
  if (!loop.shuffle) return loop.items
  return separateArtists(loop.items, (item) => item.artist, `${loop.seed}:${seq}`, { previousArtist })
}

/**
 * The first place where `planned` tells something else than `current`, both sorted by seq from the same number;
 * undefined when they agree.
 */
export function firstDifference(
  current: readonly PlannedProgramme[],
  planned: readonly PlannedProgramme[],
): number | undefined {
  const length = Math.max(current.length, planned.length)
  for (let index = 0; index < length; index += 1) {
    const was = current[index]
    const will = planned[index]
    if (was === undefined || will === undefined || !sameProgramme(was, will)) return index
  }
  return undefined
}

function sameProgramme(a: PlannedProgramme, b: PlannedProgramme): boolean {
  return (
    a.itemId === b.itemId &&
    a.videoId === b.videoId &&
    a.videoVersion === b.videoVersion &&
    a.startsAtMs === b.startsAtMs &&
    a.endsAtMs === b.endsAtMs
  )
}
