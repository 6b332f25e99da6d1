import {
  type PlayerCapabilities,
  YOUTUBE_CAPABILITIES,
  YOUTUBE_COARSE_CAPABILITIES,
  YOUTUBE_FINE_CAPABILITIES,
} from '@looptide/playhead/player-capabilities'
import type { YouTubeFrame } from '../../../lib/media/youtube-api.ts'

/** YouTube's menu has steps of 0.05; whether the API accepts them is tested once. */
const TRIAL_RATE = 1.05
const TRIAL_MS = 400
/** The rates that the API lists; without them the video plays at one speed only. */
const COARSE_RATES = [0.75, 1.25]

/**
 * Tests which rates a playing frame accepts: it rounds an unsupported rate towards 1. Calls back with the abilities for
 * the sync loop; the caller must set rate 1 again. Does not call back after `cancelled()`.
 */
export function tryRates(
  frame: Pick<YouTubeFrame, 'setPlaybackRate' | 'getPlaybackRate' | 'getAvailablePlaybackRates'>,
  cancelled: () => boolean,
  onFound: (capabilities: PlayerCapabilities) => void,
): void {
  frame.setPlaybackRate(TRIAL_RATE)
  setTimeout(() => {
    if (cancelled()) return
    const isFine = Math.abs(frame.getPlaybackRate() - TRIAL_RATE) < 0.001
    const listed = frame.getAvailablePlaybackRates()
    const isCoarse = COARSE_RATES.every((rate) => listed.includes(rate))
    if (isFine) onFound(YOUTUBE_FINE_CAPABILITIES)
    else onFound(isCoarse ? YOUTUBE_COARSE_CAPABILITIES : YOUTUBE_CAPABILITIES)
  }, TRIAL_MS)
}
