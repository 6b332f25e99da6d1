import {
  type PlayerCapabilities,
  YOUTUBE_CAPABILITIES,
  YOUTUBE_COARSE_CAPABILITIES,
  YOUTUBE_FINE_CAPABILITIES,
} from '@looptide/playhead/drift-controller'
import type { YouTubeFrame } from './youtube-api.ts'

/** YouTube's own menu goes in steps of 0.05; whether this player takes them is tried once. */
const TRIAL_RATE = 1.05
const TRIAL_MS = 400
/** The steps that the API tells of; a list without them is a video that plays at one speed only. */
const COARSE_RATES = [0.75, 1.25]

/**
 * Finds out which rates a playing frame takes: it rounds a rate that it does not know towards 1. Calls back with what
 * the sync loop may ask of it, the frame being at rate 1 again; not at all after `cancelled()`.
 */
export function tryRates(
  frame: YouTubeFrame,
  cancelled: () => boolean,
  onFound: (capabilities: PlayerCapabilities) => void,
): void {
  frame.setPlaybackRate(TRIAL_RATE)
  setTimeout(() => {
    if (cancelled()) return
    const isFine = Math.abs(frame.getPlaybackRate() - TRIAL_RATE) < 0.001
    const told = frame.getAvailablePlaybackRates()
    const isCoarse = COARSE_RATES.every((rate) => told.includes(rate))
    if (isFine) onFound(YOUTUBE_FINE_CAPABILITIES)
    else onFound(isCoarse ? YOUTUBE_COARSE_CAPABILITIES : YOUTUBE_CAPABILITIES)
  }, TRIAL_MS)
}
