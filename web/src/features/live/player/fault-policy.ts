import type { PlayerErrorKind, PlayerKind } from './player.ts'

export type FaultAnswer = {
  /** Load again after this long (ms); undefined: wait for the next programme. */
  retryAfterMs: number | undefined
  /** Tell the station that the video itself does not play. */
  report: boolean
  /** Tell the viewer that nothing of this kind can be reached. */
  unreachable: boolean
}

const RETRY_MS = [1_000, 2_000, 4_000, 8_000, 15_000] as const
/** A media server may hiccup; a YouTube script that does not come within its time-out will not come soon. */
const PATIENCE: Record<PlayerKind, number> = { html5: 2, youtube: 0 }

/**
 * What a player's fault asks for, after `retries` earlier ones of the same video.
 * Removed or barred videos (100, 101, 150) and faulty ids (2) are reported at once; a player's own fault (5) gets a
 * second chance first. What does not answer, and a YouTube that was not told who we are (153), says nothing about
 * the video: it is never reported, and tried again for as long as the programme lasts.
 */
export function answerFault(fault: PlayerErrorKind, player: PlayerKind, retries: number): FaultAnswer {
  const retryAfterMs = RETRY_MS[Math.min(retries, RETRY_MS.length - 1)]
  if (fault === 'unreachable' || fault === 'not-identified') {
    return { retryAfterMs, report: false, unreachable: retries >= PATIENCE[player] }
  }
  if (fault === 'unplayable' && retries === 0) return { retryAfterMs, report: false, unreachable: false }
  return { retryAfterMs: undefined, report: true, unreachable: false }
}
