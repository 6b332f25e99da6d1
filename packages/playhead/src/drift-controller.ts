import type { Correction, DriftInput, DriftState } from './drift-state.ts'
import type { PlayerCapabilities } from './player-capabilities.ts'

const NONE: Correction = { kind: 'none' }
const WINDOW = 7
const MIN_SAMPLES = 3
/** A nudge is sized to correct the drift in about this time, in ms. */
const NUDGE_DURATION_MS = 1_500
const MIN_NUDGE = 0.005
/** A larger jump at the beginning of a nudge was a stall (ms). */
const MAX_JUMP_MS = 60
/** Weight of one measured jump of a timed nudge: the position of such a player is inexact. */
const TIMED_JUMP_GAIN = 0.4
/** The measurement contains no position from before the end of a timed nudge after this time (ms). */
const TIMED_SETTLE_MS = 2_000
/** Time between two steps (ms). A nudge ends at a step. */
const STEP_MS = 250
const MAX_COOLDOWN_MS = 120_000
/** Time without a seek after which the cooldowns are reset (ms). */
const COOLDOWN_RESET_MS = 60_000
/** A stall within this time after a seek counts as caused by it (ms). */
const STALL_AFTER_SEEK_MS = 15_000
/** With less buffered media than this, no correction consumes buffer (ms). */
const LOW_BUFFER_MS = 1_500
/** A seek beyond the loaded media empties the buffer. It is made only for a larger drift than this (ms). */
const UNBUFFERED_SEEK_MS = 1_000
const MAX_LATENCY_MS = 3_000
const WRONG_GUESS_MS = 500

/**
 * The drift controller keeps a player at the playhead. It is a pure state machine: from time, measured drift and the
 * player's capabilities it derives at most one correction per step. Drift is player minus playhead in ms: negative means
 * late.
 *
 * - Small drift is not corrected: a correction would be more noticeable than the drift.
 * - Medium drift is corrected by a playback rate that listeners do not notice. Listeners detect a change of tempo from
 *   about 2.5 % on (Friberg & Sundberg 1995, JASA 98:1524); players keep the pitch. With sound we stay at 2.5 %.
 *   A player that has only coarse steps gets its smallest step for a time known before, instead of a seek: a seek
 *   freezes the picture for as long and is inexact. After a start or a seek, it does so once for a smaller drift too.
 * - Large drift is corrected by one seek, aimed ahead by the latency measured at earlier seeks. Then the controller
 *   waits, longer after each seek that did not help or was followed by a stall.
 * - While the position cannot be measured (buffering, advert, seek in progress) nothing is corrected. With little buffer,
 *   corrections that consume buffer are not made, so that a slow connection does not get worse.
 *
 * One step, about four times a second. Returns the next state and the correction to apply.
 */
export function stepDrift(
  before: DriftState,
  input: DriftInput,
  capabilities: PlayerCapabilities,
): { state: DriftState; correction: Correction } {
  const elapsedMs = before.lastMs === null ? 0 : Math.max(0, input.nowMs - before.lastMs)
  const state = {
    ...before,
    lastMs: input.nowMs,
    nudgedMs: before.nudgedMs + (before.rate - 1) * elapsedMs,
  }
  if (input.driftMs === null) return pause(state, input)
  if (state.phase === 'settling' || state.phase === 'seeking') {
    state.settledAtMs ??= input.nowMs + capabilities.settleMs
  }
  if (state.settledAtMs !== null && input.nowMs < state.settledAtMs) return { state, correction: NONE }
  state.samples = [...state.samples, input.driftMs - state.nudgedMs].slice(-WINDOW)
  if (state.samples.length < MIN_SAMPLES) return { state, correction: NONE }
  const unnudgedMs = median(state.samples)
  if (state.nudgeFromMs !== null) {
    state.nudgeJumpMs = learnedJump(state, unnudgedMs - state.nudgeFromMs, capabilities)
    state.nudgeFromMs = null
  }
  const driftMs = unnudgedMs + state.nudgedMs
  const settled = settle({ ...state, driftMs }, driftMs, capabilities, input)
  const { state: next, correction } = decide(settled, driftMs, input, capabilities)
  return { state: { ...next, isArriving: correction.kind === 'seek' }, correction }
}

/** The jump of nudges after one of `jumpMs` was measured. */
function learnedJump(state: DriftState, jumpMs: number, capabilities: PlayerCapabilities): number | null {
  if (Math.abs(jumpMs) > MAX_JUMP_MS) return state.nudgeJumpMs
  const beforeMs = jumpOf(state, capabilities)
  return capabilities.isNudgeTimed ? beforeMs + TIMED_JUMP_GAIN * (jumpMs - beforeMs) : jumpMs
}

function jumpOf(state: DriftState, capabilities: PlayerCapabilities): number {
  return state.nudgeJumpMs ?? capabilities.nudgeJumpMs ?? 0
}

/** Handles a position that cannot be measured: ends a nudge, discards samples and records whether a seek caused the stall. */
function pause(state: DriftState, input: DriftInput): { state: DriftState; correction: Correction } {
  const playing = state.phase === 'steady' || state.phase === 'nudging'
  const isAfterSeek = state.lastSeekMs !== null && input.nowMs - state.lastSeekMs < STALL_AFTER_SEEK_MS
  const isCausedBySeek = playing && isAfterSeek && state.isSeekUnbuffered
  const next: DriftState = {
    ...state,
    phase: state.phase === 'seeking' ? 'seeking' : 'settling',
    rate: 1,
    samples: [],
    settledAtMs: null,
    nudgeFromMs: null,
    driftMs: null,
    stallCooldownMs: isCausedBySeek ? doubled(state.stallCooldownMs) : state.stallCooldownMs,
  }
  return { state: next, correction: state.rate === 1 ? NONE : { kind: 'rate', rate: 1 } }
}

/** Ends the settling after a start or a seek. The drift after a seek corrects the estimated latency of seeks. */
function settle(
  state: DriftState,
  driftMs: number,
  capabilities: PlayerCapabilities,
  input: DriftInput,
): DriftState {
  if (state.phase === 'settling' || (capabilities.isNudgeTimed && state.phase === 'nudging'))
    return { ...state, phase: 'steady' }
  if (state.phase !== 'seeking') return state
  const useless = Math.abs(driftMs) > Math.abs(state.seekFromMs) / 2
  const missed = useless && Math.abs(driftMs) > seekThreshold(state, input, capabilities)
  const cooldownMs = missed ? doubled(state.cooldownMs) : state.cooldownMs
  // An error of seconds was caused by a stall, not by the latency of the seek.
  if (Math.abs(driftMs) > MAX_LATENCY_MS) return { ...state, phase: 'steady', cooldownMs }
  const measuredSeeks = state.measuredSeeks + 1
  // A running mean: the initial estimate counts as one seek, old seeks lose weight, a large error replaces the mean.
  const gain = Math.abs(driftMs) > WRONG_GUESS_MS ? 0.8 : Math.max(1 / (measuredSeeks + 1), 0.15)
  const seekLatencyMs = Math.min(Math.max(state.seekLatencyMs - gain * driftMs, 0), MAX_LATENCY_MS)
  // The error of the first seek is that of the initial estimate.
  const errorMs = measuredSeeks === 1 ? 0 : Math.abs(driftMs)
  const seekErrorMs = state.seekErrorMs + gain * (errorMs - state.seekErrorMs)
  return { ...state, phase: 'steady', measuredSeeks, seekLatencyMs, seekErrorMs, cooldownMs }
}

function decide(
  state: DriftState,
  driftMs: number,
  input: DriftInput,
  capabilities: PlayerCapabilities,
): { state: DriftState; correction: Correction } {
  const threshold = seekThreshold(state, input, capabilities)
  const isReset = state.lastSeekMs === null || input.nowMs - state.lastSeekMs > COOLDOWN_RESET_MS
  const current: DriftState =
    isReset && Math.abs(driftMs) < threshold
      ? { ...state, cooldownMs: capabilities.cooldownMs, stallCooldownMs: capabilities.cooldownMs }
      : state
  if (Math.abs(driftMs) > threshold && maySeek(current, driftMs, input)) {
    const state: DriftState = {
      ...current,
      phase: 'seeking',
      rate: 1,
      samples: [],
      settledAtMs: null,
      nudgeFromMs: null,
      lastSeekMs: input.nowMs,
      seekFromMs: driftMs,
      isSeekUnbuffered: driftMs < 0 && !isLoaded(current, driftMs, input),
    }
    return { state, correction: { kind: 'seek', leadMs: current.seekLatencyMs } }
  }
  if (capabilities.isNudgeTimed) return nudgeForTime(current, driftMs, input, capabilities)
  const rate = wantedRate(current, driftMs, input, capabilities)
  if (rate === current.rate) return { state: current, correction: NONE }
  // Measurements from before the jump would hide it.
  const jumps = current.rate === 1 && capabilities.nudgeJumpMs !== null
  const begun = jumps ? { samples: [], nudgeFromMs: driftMs - current.nudgedMs } : {}
  return {
    state: { ...current, ...begun, rate, phase: rate === 1 ? 'steady' : 'nudging' },
    correction: { kind: 'rate', rate },
  }
}

/** Minimum drift for a seek: more than a nudge can correct, and more than the usual error of seeks. */
function seekThreshold(state: DriftState, input: DriftInput, capabilities: PlayerCapabilities): number {
  const byNudging = canNudge(capabilities) ? capabilities.maxNudge * capabilities.nudgeTimeLimitMs : 0
  return Math.max(capabilities.seekFloorMs, byNudging, 2 * input.uncertaintyMs, 1.25 * state.seekErrorMs)
}

/** A nudge by the smallest step whose duration is known before. It is measured when it is over. */
function nudgeForTime(
  state: DriftState,
  driftMs: number,
  input: DriftInput,
  capabilities: PlayerCapabilities,
): { state: DriftState; correction: Correction } {
  const floorMs = state.isArriving ? capabilities.startNudgeFloorMs : capabilities.nudgeFloorMs
  const isSmall = Math.abs(driftMs) < Math.max(floorMs, 2 * input.uncertaintyMs)
  if (isSmall || !capabilities.rates || !canNudge(capabilities)) return { state, correction: NONE }
  const restMs = driftMs + jumpOf(state, capabilities)
  if (restMs < 0 && isLow(input)) return { state, correction: NONE }
  const change = -Math.sign(restMs) * capabilities.rates.step
  const neededMs = Math.round(Math.abs(restMs) / capabilities.rates.step)
  const forMs = Math.min(neededMs, capabilities.nudgeTimeLimitMs)
  const nudging: DriftState = {
    ...state,
    phase: 'nudging',
    samples: [],
    settledAtMs: input.nowMs + forMs + TIMED_SETTLE_MS,
    nudgedMs: state.nudgedMs + change * forMs,
    nudgeFromMs: driftMs - state.nudgedMs,
  }
  return { state: nudging, correction: { kind: 'timed-rate', rate: 1 + change, forMs } }
}

function isLow({ bufferedAheadMs }: DriftInput): boolean {
  return bufferedAheadMs !== null && bufferedAheadMs < LOW_BUFFER_MS
}

function maySeek(state: DriftState, driftMs: number, input: DriftInput): boolean {
  // A large drift is corrected even if seeks are inaccurate, but not if seeks cause stalls.
  const far = Math.abs(driftMs) > UNBUFFERED_SEEK_MS
  const restMs = far ? state.stallCooldownMs : Math.max(state.cooldownMs, state.stallCooldownMs)
  if (state.lastSeekMs !== null && input.nowMs - state.lastSeekMs < restMs) return false
  if (input.remainingMs < state.seekLatencyMs + 2 * LOW_BUFFER_MS) return false
  return driftMs > 0 || far || input.bufferedAheadMs === null || isLoaded(state, driftMs, input)
}

function isLoaded(state: DriftState, driftMs: number, input: DriftInput): boolean {
  return (input.bufferedAheadMs ?? 0) > state.seekLatencyMs - driftMs + LOW_BUFFER_MS
}

function wantedRate(
  state: DriftState,
  driftMs: number,
  input: DriftInput,
  capabilities: PlayerCapabilities,
): number {
  if (!capabilities.rates || !canNudge(capabilities)) return 1
  const startMs = Math.max(capabilities.nudgeFloorMs, 2 * input.uncertaintyMs)
  const stopMs = Math.max(startMs / 4, (Math.abs(state.rate - 1) * STEP_MS) / 2)
  if (state.rate === 1 && Math.abs(driftMs) < startMs) return 1
  const restMs = state.rate === 1 ? driftMs + jumpOf(state, capabilities) : driftMs
  const direction = restMs > 0 ? -1 : 1
  // A running nudge continues until the drift is almost zero, and never beyond zero.
  if (state.rate !== 1 && (Math.abs(driftMs) < stopMs || direction !== Math.sign(state.rate - 1))) return 1
  if (direction > 0 && isLow(input)) return 1
  const size = Math.min(Math.max(Math.abs(restMs) / NUDGE_DURATION_MS, MIN_NUDGE), capabilities.maxNudge)
  const { step } = capabilities.rates
  const stepped = step > 0 ? Math.max(step, Math.floor(size / step) * step) : size
  const rate = Math.round((1 + direction * stepped) * 1000) / 1000
  // Each change of rate may be audible: a running nudge is changed only to a rate at least twice as far from 1.
  return state.rate !== 1 && Math.abs(rate - 1) < 2 * Math.abs(state.rate - 1) ? state.rate : rate
}

function canNudge(capabilities: PlayerCapabilities): boolean {
  return capabilities.rates !== null && capabilities.rates.step <= capabilities.maxNudge
}

function doubled(cooldownMs: number): number {
  return Math.min(cooldownMs * 2, MAX_COOLDOWN_MS)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}
