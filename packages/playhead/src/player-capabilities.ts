/** What a kind of player can do, for the drift controller. */
export interface PlayerCapabilities {
  /** Rates that the player accepts, in steps of `step` (0: any); null when its rate must not be changed. */
  rates: { step: number } | null
  /** Largest deviation of the rate from 1. */
  maxNudge: number
  /** No change of rate for a drift smaller than this (ms). */
  nudgeFloorMs: number
  /** The same for the first measurement after a start or a seek (ms). */
  startNudgeFloorMs: number
  /** The rates are so coarse that a nudge has a duration that is set before, instead of ending at a step. */
  isNudgeTimed: boolean
  /**
   * Expected jump of the position when a nudge begins (ms), until the drift controller has measured it; null if the
   * position is not exact enough to measure it.
   */
  nudgeJumpMs: number | null
  /** Drift that maxNudge cannot correct within this time is corrected by a seek (ms). */
  nudgeTimeLimitMs: number
  /** The position is unreliable for this time after a start or a seek (ms). */
  settleMs: number
  /** No seek for a drift smaller than this (ms). */
  seekFloorMs: number
  /** Shortest time between two seeks (ms). */
  cooldownMs: number
  /** Initial estimate of the time from requesting a seek to playing at its target (ms). */
  seekLatencyMs: number
}

/** `<video>`: any rate, exact position, quick seeks. */
export const HTML5_CAPABILITIES: PlayerCapabilities = {
  rates: { step: 0 },
  maxNudge: 0.025,
  nudgeFloorMs: 5,
  startNudgeFloorMs: 5,
  isNudgeTimed: false,
  // Chromium's audio time stretching delays playback when the rate changes from 1: 25 ms muted, 17 to 25 ms audible.
  nudgeJumpMs: -24,
  nudgeTimeLimitMs: 5_000,
  settleMs: 200,
  seekFloorMs: 150,
  cooldownMs: 3_000,
  seekLatencyMs: 60,
}

/** A YouTube frame before it is known which rates it accepts: only seeks, which are slow. */
export const YOUTUBE_CAPABILITIES: PlayerCapabilities = {
  rates: null,
  maxNudge: 0.05,
  nudgeFloorMs: 20,
  startNudgeFloorMs: 20,
  isNudgeTimed: false,
  nudgeJumpMs: null,
  nudgeTimeLimitMs: 5_000,
  settleMs: 1_000,
  seekFloorMs: 180,
  cooldownMs: 8_000,
  seekLatencyMs: 400,
}

/** A YouTube frame that accepts rates in steps of 0.05, as in its own menu. */
export const YOUTUBE_FINE_CAPABILITIES: PlayerCapabilities = {
  ...YOUTUBE_CAPABILITIES,
  rates: { step: 0.05 },
}

/**
 * A YouTube frame that accepts only the steps of 0.25 that its API documents: nudges of at most 1.6 s. One just after a
 * start or a seek is hardly noticed, so it corrects smaller drifts.
 */
export const YOUTUBE_COARSE_CAPABILITIES: PlayerCapabilities = {
  ...YOUTUBE_CAPABILITIES,
  rates: { step: 0.25 },
  maxNudge: 0.25,
  nudgeFloorMs: 90,
  startNudgeFloorMs: 15,
  isNudgeTimed: true,
  nudgeJumpMs: HTML5_CAPABILITIES.nudgeJumpMs,
  nudgeTimeLimitMs: 1_600,
}

/** Largest deviation of the rate from 1 for a muted player: viewers do not notice 8 %. */
export const MUTED_MAX_NUDGE = 0.08
