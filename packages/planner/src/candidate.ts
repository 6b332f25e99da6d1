import type { ProgrammeRequest } from '@looptide/contracts/events/stream'
import type { LibraryVideo } from './library.ts'
import type { AirHistory, RuleCheck, RuleSet } from './rules.ts'

export interface Candidate {
  itemId: string
  video: LibraryVideo
  /** Soft rules that it breaches. */
  breaches: RuleSet
  /** Why it was chosen, if it is a viewer's request. */
  request?: ProgrammeRequest
}

/** Limits of a choice. */
export interface Choice {
  check: RuleCheck
  startMs: number
  /** Whether a duration (ms) is acceptable. */
  fits: (durationMs: number) => boolean
}

/** The item as a candidate; undefined if its length, its last airing or a hard rule forbids it. `restMs` is the shortest time between two airings. */
export function candidateFor(
  itemId: string,
  video: LibraryVideo,
  { check, startMs, fits }: Choice,
  history: AirHistory,
  restMs: number,
): Candidate | undefined {
  if (!fits(video.durationMs)) return undefined
  if (restMs > 0 && startMs - history.lastStartOf(video.id) < restMs) return undefined
  const breaches = check.breaches(video.id)
  return breaches === undefined ? undefined : { itemId, video, breaches }
}
