import type { Video } from '@looptide/contracts/http/videos'
import { playedRange } from '@looptide/playhead/trim'

/** The part of the media that a player plays, in ms; `endAtMs` null is the end of the media. */
export interface PlayerRange {
  startAtMs: number
  endAtMs: number | null
}

/**
 * The part of a video that a player plays. Unlike the schedule, it does not need the media's duration: while that is
 * assumed, the trim points are used as they are.
 */
export function playerRange(video: Video): PlayerRange {
  const { startAtMs, endAtMs, durationAssumed } = video
  return durationAssumed ? { startAtMs, endAtMs } : { startAtMs: playedRange(video).fromMs, endAtMs }
}

/** Where a player begins, in seconds of the media: at `resumeS` if that lies in the range, else at its start. */
export function firstPositionS({ startAtMs, endAtMs }: PlayerRange, resumeS = 0): number {
  const isInside = resumeS * 1000 > startAtMs && (endAtMs === null || resumeS * 1000 < endAtMs)
  return isInside ? resumeS : startAtMs / 1000
}
