/**
 * Keeps a player at the playhead. A pure state machine: time, the measured drift and the player's capabilities go in,
 * at most one correction comes out. Drift is player minus playhead in ms: negative means late.
 *
 * - Small drift is not corrected: a correction would be more noticeable than the drift.
 * - Medium drift is corrected by a playback rate that listeners do not notice. Listeners detect a change of tempo from
 *   about 2.5 % on (Friberg & Sundberg 1995, JASA 98:1524); players keep the pitch. With sound we stay at 2.5 %.
 *   A player that knows only coarse steps gets one short burst of its smallest, instead of a seek: a seek freezes the
 *   picture for as long, and its target is inexact.
 * - Large drift is corrected by one seek, aimed ahead by the latency measured at earlier seeks. Then the controller
 *   waits, longer after each seek that did not help or was followed by a stall.
 * - While the position cannot be measured (buffering, advert, seek in progress) nothing is corrected. With little buffer,
 *   corrections that consume buffer are not made, so that a slow connection does not get worse.
 */
export interface PlayerCapabilities {
  /** Rates the player really accepts, in steps of `step` (0: any); null when it knows only whole speeds. */
  rates: { step: number } | null
  /** Largest deviation of the rate from 1. */
  maxNudge: number
  /** No change of rate for a drift smaller than this (ms). */
  nudgeFloorMs: number
  /** Drift that maxNudge cannot correct within this time is corrected by a seek (ms). */
  nudgeTimeLimitMs: number
  /** The position is unreliable for this time after a start or a seek (ms). */
  settleMs: number
  /** No seek for a drift smaller than this (ms). */
  seekFloorMs: number
  /** Shortest time between two seeks (ms). */
  cooldownMs: number
  /** First guess of the time from asking for a seek to playing at its target (ms). */
  seekLatencyMs: number
}

/** `<video>`: any rate, exact position, quick seeks. */
export const HTML5_CAPABILITIES: PlayerCapabilities = {
  rates: { step: 0 },
  maxNudge: 0.025,
  // Leaving rate 1 costs Chromium's audio stretcher 23 ms at once: less than that is not worth a nudge.
  nudgeFloorMs: 20,
  nudgeTimeLimitMs: 5_000,
  settleMs: 200,
  seekFloorMs: 150,
  cooldownMs: 3_000,
  seekLatencyMs: 60,
}

/** A YouTube frame until it has shown which rates it takes: seeks only, slow ones. */
export const YOUTUBE_CAPABILITIES: PlayerCapabilities = {
  rates: null,
  maxNudge: 0.05,
  nudgeFloorMs: 20,
  nudgeTimeLimitMs: 5_000,
  settleMs: 1_000,
  seekFloorMs: 180,
  cooldownMs: 8_000,
  seekLatencyMs: 400,
}

/** A YouTube frame that takes steps of 0.05, as its own menu has them. */
export const YOUTUBE_FINE_CAPABILITIES: PlayerCapabilities = {
  ...YOUTUBE_CAPABILITIES,
  rates: { step: 0.05 },
}

/** A YouTube frame that takes the steps of 0.25 that its API has always had: bursts of at most 1.6 s. */
export const YOUTUBE_COARSE_CAPABILITIES: PlayerCapabilities = {
  ...YOUTUBE_CAPABILITIES,
  rates: { step: 0.25 },
  maxNudge: 0.25,
  nudgeFloorMs: 90,
  nudgeTimeLimitMs: 1_600,
}

/** Maximum rate deviation of a muted player: viewers do not notice 8 %. */
export const MUTED_MAX_NUDGE = 0.08

export interface DriftInput {
  /** Local monotonic ms. */
  nowMs: number
  /** Player minus playhead in ms; null while the player cannot be measured. */
  driftMs: number | null
  /** How wrong driftMs may be (ms). */
  uncertaintyMs: number
  /** Media loaded beyond the player's position (ms); null when the player does not say. */
  bufferedAheadMs: number | null
  /** Until the programme ends (ms): no seek right before a cut. */
  remainingMs: number
}

export type Correction =
  | { kind: 'none' }
  | { kind: 'rate'; rate: number }
  /** Go to the playhead's position plus `leadMs`, at rate 1. */
  | { kind: 'seek'; leadMs: number }

export interface DriftState {
  phase: 'settling' | 'steady' | 'nudging' | 'seeking'
  rate: number
  /** What nudging has added to the player's position since this state began (ms). */
  nudgedMs: number
  lastMs: number | null
  /** Measurements with the nudging taken out, oldest first. */
  samples: readonly number[]
  settledAtMs: number | null
  seekLatencyMs: number
  /** Mean size of the error with which seeks land (ms). */
  landingErrorMs: number
  landings: number
  lastSeekMs: number | null
  /** Drift that the last seek was to cure (ms). */
  seekFromMs: number
  /** The last seek went beyond what was known to be loaded. */
  seekWasBlind: boolean
  /** Rest between seeks; grows with seeks that did not help (ms). */
  cooldownMs: number
  /** Rest between seeks; grows with stalls that a seek brought about (ms). */
  stallCooldownMs: number
  /** Newest filtered drift (ms), for those who show it; null while unknown. */
  driftMs: number | null
}

const NONE: Correction = { kind: 'none' }
const WINDOW = 7
const MIN_SAMPLES = 3
/** A nudge is sized to correct the drift in about this time, in ms. */
const NUDGE_DURATION_MS = 1_500
const MIN_NUDGE = 0.005
/** Steps are about this far apart (ms); a nudge ends at one of them. */
const STEP_MS = 250
const MAX_COOLDOWN_MS = 120_000
const CALM_MS = 60_000
/** A stall this soon after a seek is blamed on it. */
const BLAME_MS = 15_000
/** With less media than this in hand nothing is done that eats it. */
const LOW_BUFFER_MS = 1_500
/** Jumping past what is loaded costs a fresh load: only worth it beyond this. */
const UNBUFFERED_SEEK_MS = 1_000
const MAX_LATENCY_MS = 3_000
const WRONG_GUESS_MS = 500

/** The state at the start of a video. Pass the last state of the same player to keep what it has learned. */
export function initialDriftState(capabilities: PlayerCapabilities, learned?: DriftState): DriftState {
  return {
    phase: 'settling',
    rate: 1,
    nudgedMs: 0,
    lastMs: null,
    samples: [],
    settledAtMs: null,
    seekLatencyMs: learned?.seekLatencyMs ?? capabilities.seekLatencyMs,
    landingErrorMs: learned?.landingErrorMs ?? 0,
    landings: learned?.landings ?? 0,
    lastSeekMs: learned?.lastSeekMs ?? null,
    seekFromMs: learned?.seekFromMs ?? 0,
    seekWasBlind: learned?.seekWasBlind ?? false,
    cooldownMs: learned?.cooldownMs ?? capabilities.cooldownMs,
    stallCooldownMs: learned?.stallCooldownMs ?? capabilities.cooldownMs,
    driftMs: null,
  }
}

/** One step, about four times a second. Returns the next state and what to do to the player now. */
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
    const settledAtMs = state.settledAtMs ?? input.nowMs + capabilities.settleMs
    if (input.nowMs < settledAtMs) return { state: { ...state, settledAtMs }, correction: NONE }
    state.settledAtMs = settledAtMs
  }
  state.samples = [...state.samples, input.driftMs - state.nudgedMs].slice(-WINDOW)
  if (state.samples.length < MIN_SAMPLES) return { state, correction: NONE }
  const driftMs = median(state.samples) + state.nudgedMs
  return decide(landed({ ...state, driftMs }, driftMs, capabilities, input), driftMs, input, capabilities)
}

/** Position not measurable: stops correcting, discards measurements, and records whether a seek caused the stall. */
function pause(state: DriftState, input: DriftInput): { state: DriftState; correction: Correction } {
  const playing = state.phase === 'steady' || state.phase === 'nudging'
  const soon = state.lastSeekMs !== null && input.nowMs - state.lastSeekMs < BLAME_MS
  const blamed = playing && soon && state.seekWasBlind
  const next: DriftState = {
    ...state,
    phase: state.phase === 'seeking' ? 'seeking' : 'settling',
    rate: 1,
    samples: [],
    settledAtMs: null,
    driftMs: null,
    stallCooldownMs: blamed ? longer(state.stallCooldownMs) : state.stallCooldownMs,
  }
  return { state: next, correction: state.rate === 1 ? NONE : { kind: 'rate', rate: 1 } }
}

/** First trustworthy measurement after a start or a seek. A seek's error teaches the next one's aim. */
function landed(
  state: DriftState,
  driftMs: number,
  capabilities: PlayerCapabilities,
  input: DriftInput,
): DriftState {
  if (state.phase === 'settling') return { ...state, phase: 'steady' }
  if (state.phase !== 'seeking') return state
  const useless = Math.abs(driftMs) > Math.abs(state.seekFromMs) / 2
  const missed = useless && Math.abs(driftMs) > seekThreshold(state, input, capabilities)
  const cooldownMs = missed ? longer(state.cooldownMs) : state.cooldownMs
  // An error of seconds is a stall on the way, not the latency of a seek.
  if (Math.abs(driftMs) > MAX_LATENCY_MS) return { ...state, phase: 'steady', cooldownMs }
  const landings = state.landings + 1
  // The first guess counts as one landing; old landings fade; far off means that the guess was wrong.
  const gain = Math.abs(driftMs) > WRONG_GUESS_MS ? 0.8 : Math.max(1 / (landings + 1), 0.15)
  const seekLatencyMs = Math.min(Math.max(state.seekLatencyMs - gain * driftMs, 0), MAX_LATENCY_MS)
  // The first landing shows a wrong guess rather than the spread of seeks.
  const errorMs = landings === 1 ? 0 : Math.abs(driftMs)
  const landingErrorMs = state.landingErrorMs + gain * (errorMs - state.landingErrorMs)
  return { ...state, phase: 'steady', landings, seekLatencyMs, landingErrorMs, cooldownMs }
}

function decide(
  state: DriftState,
  driftMs: number,
  input: DriftInput,
  capabilities: PlayerCapabilities,
): { state: DriftState; correction: Correction } {
  const threshold = seekThreshold(state, input, capabilities)
  const calm = state.lastSeekMs === null || input.nowMs - state.lastSeekMs > CALM_MS
  const rested: DriftState =
    calm && Math.abs(driftMs) < threshold
      ? { ...state, cooldownMs: capabilities.cooldownMs, stallCooldownMs: capabilities.cooldownMs }
      : state
  if (Math.abs(driftMs) > threshold && maySeek(rested, driftMs, input)) {
    const state: DriftState = {
      ...rested,
      phase: 'seeking',
      rate: 1,
      samples: [],
      settledAtMs: null,
      lastSeekMs: input.nowMs,
      seekFromMs: driftMs,
      seekWasBlind: driftMs < 0 && !isLoaded(rested, driftMs, input),
    }
    return { state, correction: { kind: 'seek', leadMs: rested.seekLatencyMs } }
  }
  const rate = wantedRate(rested, driftMs, input, capabilities)
  if (rate === rested.rate) return { state: rested, correction: NONE }
  return {
    state: { ...rested, rate, phase: rate === 1 ? 'steady' : 'nudging' },
    correction: { kind: 'rate', rate },
  }
}

/** Minimum drift for a seek: more than a nudge can correct, and more than the usual error of seeks. */
function seekThreshold(state: DriftState, input: DriftInput, capabilities: PlayerCapabilities): number {
  const byNudging = canNudge(capabilities) ? capabilities.maxNudge * capabilities.nudgeTimeLimitMs : 0
  return Math.max(capabilities.seekFloorMs, byNudging, 2 * input.uncertaintyMs, 1.25 * state.landingErrorMs)
}

function maySeek(state: DriftState, driftMs: number, input: DriftInput): boolean {
  // A far drift is corrected despite inaccurate seeks, but not despite stalls caused by seeks.
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
  const direction = driftMs > 0 ? -1 : 1
  if (state.rate === 1 && Math.abs(driftMs) < startMs) return 1
  // A running nudge continues until the drift is almost zero, and never beyond zero.
  if (state.rate !== 1 && (Math.abs(driftMs) < stopMs || direction !== Math.sign(state.rate - 1))) return 1
  if (direction > 0 && input.bufferedAheadMs !== null && input.bufferedAheadMs < LOW_BUFFER_MS) return 1
  const size = Math.min(Math.max(Math.abs(driftMs) / NUDGE_DURATION_MS, MIN_NUDGE), capabilities.maxNudge)
  const { step } = capabilities.rates
  const stepped = step > 0 ? Math.max(step, Math.floor(size / step) * step) : size
  const rate = Math.round((1 + direction * stepped) * 1000) / 1000
  // Each change of rate can click: a running nudge is only changed when much more is needed.
  return state.rate !== 1 && Math.abs(rate - 1) < 2 * Math.abs(state.rate - 1) ? state.rate : rate
}

function canNudge(capabilities: PlayerCapabilities): boolean {
  return capabilities.rates !== null && capabilities.rates.step <= capabilities.maxNudge
}

function longer(cooldownMs: number): number {
  return Math.min(cooldownMs * 2, MAX_COOLDOWN_MS)
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  const upper = sorted[middle] ?? 0
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? upper) + upper) / 2
}
