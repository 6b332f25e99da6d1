import type { PlayerCapabilities } from './player-capabilities.ts'

/** A measurement. Drift is player minus playhead: negative means late. */
export interface DriftInput {
  /** Local monotonic time in ms. */
  nowMs: number
  /** Player minus playhead in ms; null while the player cannot be measured. */
  driftMs: number | null
  /** Maximum error of `driftMs` (ms). */
  uncertaintyMs: number
  /** Media loaded beyond the player's position (ms); null when the player does not report it. */
  bufferedAheadMs: number | null
  /** Time until the programme ends (ms). There is no seek shortly before a cut. */
  remainingMs: number
}

export type Correction =
  | { kind: 'none' }
  | { kind: 'rate'; rate: number }
  /** Play at `rate` for `forMs`, then at rate 1. */
  | { kind: 'timed-rate'; rate: number; forMs: number }
  /** Seek to the playhead's position plus `leadMs` and play at rate 1. */
  | { kind: 'seek'; leadMs: number }

export interface DriftState {
  phase: 'settling' | 'steady' | 'nudging' | 'seeking'
  rate: number
  /** Change of the player's position by nudges since the start of the video (ms). */
  nudgedMs: number
  lastMs: number | null
  /** Measured drifts minus `nudgedMs` at the time of measurement (ms), oldest first. */
  samples: readonly number[]
  settledAtMs: number | null
  /** There was no measurement since the start or the last seek. */
  isArriving: boolean
  seekLatencyMs: number
  /** Weighted mean of the drift after seeks, without its sign (ms). */
  seekErrorMs: number
  measuredSeeks: number
  lastSeekMs: number | null
  /** Drift before the last seek (ms). */
  seekFromMs: number
  /** The target of the last seek was not known to be loaded. */
  isSeekUnbuffered: boolean
  /** Shortest time until the next seek (ms). Doubled after a seek that did not help. */
  cooldownMs: number
  /** Shortest time until the next seek (ms). Doubled after a stall that a seek has caused. */
  stallCooldownMs: number
  /**
   * Measured jump of the position (ms) when a nudge begins: a browser's time stretching starts with a delay. Null before
   * the first measurement.
   */
  nudgeJumpMs: number | null
  /** Drift without nudges (ms) before the running nudge, until its jump is measured. */
  nudgeFromMs: number | null
  /** Newest filtered drift (ms), for display; null while unknown. */
  driftMs: number | null
}

/** The state at the start of a video. `learned`: the player's last state, whose measurements of seeks are kept. */
export function initialDriftState(capabilities: PlayerCapabilities, learned?: DriftState): DriftState {
  return {
    phase: 'settling',
    rate: 1,
    nudgedMs: 0,
    lastMs: null,
    samples: [],
    settledAtMs: null,
    isArriving: true,
    seekLatencyMs: learned?.seekLatencyMs ?? capabilities.seekLatencyMs,
    seekErrorMs: learned?.seekErrorMs ?? 0,
    measuredSeeks: learned?.measuredSeeks ?? 0,
    lastSeekMs: learned?.lastSeekMs ?? null,
    seekFromMs: learned?.seekFromMs ?? 0,
    isSeekUnbuffered: learned?.isSeekUnbuffered ?? false,
    cooldownMs: learned?.cooldownMs ?? capabilities.cooldownMs,
    stallCooldownMs: learned?.stallCooldownMs ?? capabilities.cooldownMs,
    nudgeJumpMs: learned?.nudgeJumpMs ?? null,
    nudgeFromMs: null,
    driftMs: null,
  }
}
