import type { PlayerErrorKind } from '../../../lib/media/player-error-kind.ts'
import type { PlayerKind } from './player.ts'

export interface FaultDecision {
  /** Delay until the video is loaded again, in ms; undefined: wait for the next programme. */
  retryAfterMs: number | undefined
  /** Report to the station that the video itself does not play. */
  report: boolean
  /** Show the viewer that the player or media server cannot be reached. */
  unreachable: boolean
}

const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000] as const
/** Retries before `unreachable` is shown. A media server may fail briefly; a YouTube script that timed out will not load soon. */
const RETRIES_BEFORE_UNREACHABLE: Record<PlayerKind, number> = { html5: 2, youtube: 0 }

/**
 * Decides how to handle a player's fault, after `retries` earlier ones of the same video. Removed or barred videos
 * (YouTube 100, 101, 150) and invalid ids (2) are reported at once; a player fault (5) is retried once before. A server
 * that does not respond and a missing Referer (153) say nothing about the video: they are never reported, and retried
 * until the programme ends.
 */
export function decideFault(fault: PlayerErrorKind, player: PlayerKind, retries: number): FaultDecision {
  const retryAfterMs = RETRY_MS[Math.min(retries, RETRY_MS.length - 1)]
  if (fault === 'unreachable' || fault === 'not-identified') {
    return { retryAfterMs, report: false, unreachable: retries >= RETRIES_BEFORE_UNREACHABLE[player] }
  }
  if (fault === 'unplayable' && retries === 0) return { retryAfterMs, report: false, unreachable: false }
  return { retryAfterMs: undefined, report: true, unreachable: false }
}
