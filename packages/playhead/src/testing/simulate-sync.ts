import { stepDrift } from '../drift-controller.ts'
import { type Correction, type DriftState, initialDriftState } from '../drift-state.ts'
import { atNewRate, type Reading, steadyPosition, withReading } from '../media-clock.ts'
import {
  HTML5_CAPABILITIES,
  type PlayerCapabilities,
  YOUTUBE_CAPABILITIES,
  YOUTUBE_COARSE_CAPABILITIES,
  YOUTUBE_FINE_CAPABILITIES,
} from '../player-capabilities.ts'
import { seededRandom } from '../random.ts'
import { HTML5_MODEL, type PlayerModel, SimulatedPlayer, YOUTUBE_MODEL } from './simulated-player.ts'

/** A controller's input. `expectedMs` is the playhead's position. */
interface PlayerObservation {
  nowMs: number
  readMs: number
  expectedMs: number
  buffering: boolean
  aheadMs: number
}
export interface SyncController {
  cadenceMs: number
  act: (observation: PlayerObservation) => Correction
}

/** Errors are |player − playhead| in ms after the first `settleMs`. */
export interface SyncResult {
  p50Ms: number
  p95Ms: number
  maxMs: number
  settledAfterMs: number
  seeks: number
  rateChanges: number
  correctionsPerMinute: number
  /** Share of the time at a rate beyond ±3 %, which is audible. */
  audibleShare: number
  stalledMs: number
}

export interface Scenario {
  model: PlayerModel
  minutes: number
  seed: string
  /** Drift at the start (ms), in addition to the player's start latency. */
  startErrorMs?: number
  /** Error of the client's clock (ms). */
  clockErrorMs?: number
  settleMs?: number
  /** Largest drift of a settled player (ms). */
  closeMs?: number
  /** A busy machine: each turn of the controller, and the end of a timed nudge, is up to this much late (ms). */
  lateMs?: number
}

const TICK_MS = 10

/** Plays one programme on a simulated clock with a controller, and measures the distance from the playhead. */
export function simulateSync(controller: SyncController, scenario: Scenario): SyncResult {
  const {
    model,
    minutes,
    seed,
    startErrorMs = 0,
    clockErrorMs = 0,
    settleMs = 20_000,
    closeMs = 50,
    lateMs = 0,
  } = scenario
  const player = new SimulatedPlayer(model, seededRandom(seed), 0)
  const delays = seededRandom(`${seed}, delays`)
  const delayMs = () => Math.round((delays() * lateMs) / TICK_MS) * TICK_MS
  const offsetMs = 60_000
  player.seek(offsetMs + startErrorMs)
  const errors: number[] = []
  let lastFarMs = 0
  let counts = { seeks: 0, rateChanges: 0, audibleMs: 0 }
  let nextTurnMs = 0
  const endMs = minutes * 60_000
  for (let nowMs = 0; nowMs < endMs; nowMs += TICK_MS) {
    const trueMs = offsetMs + nowMs
    const errorMs = Math.abs(player.positionMs - trueMs)
    if (errorMs > closeMs && nowMs < settleMs) lastFarMs = nowMs
    if (nowMs >= settleMs && nowMs % 100 === 0) errors.push(errorMs)
    if (Math.abs(player.rate - 1) > 0.03 && !player.buffering) counts.audibleMs += TICK_MS
    if (nowMs >= nextTurnMs) {
      nextTurnMs = nowMs + controller.cadenceMs + delayMs()
      const expectedMs = trueMs + clockErrorMs
      const correction = controller.act({
        nowMs,
        readMs: player.read(),
        expectedMs,
        buffering: player.buffering,
        aheadMs: player.bufferedAheadMs,
      })
      const made = late(correction, delayMs())
      counts = applyCorrection(player, made, expectedMs, counts, nowMs >= settleMs)
    }
    player.advance(TICK_MS)
  }
  return {
    ...distribution(errors),
    settledAfterMs: lastFarMs,
    seeks: counts.seeks,
    rateChanges: counts.rateChanges,
    correctionsPerMinute: (counts.seeks + counts.rateChanges / 2) / ((endMs - settleMs) / 60_000),
    audibleShare: counts.audibleMs / endMs,
    stalledMs: player.stalledMs,
  }
}

function distribution(errors: number[]): Pick<SyncResult, 'p50Ms' | 'p95Ms' | 'maxMs'> {
  errors.sort((a, b) => a - b)
  const at = (share: number) => errors[Math.min(errors.length - 1, Math.floor(errors.length * share))] ?? 0
  return { p50Ms: at(0.5), p95Ms: at(0.95), maxMs: at(1) }
}

interface Counts {
  seeks: number
  rateChanges: number
  audibleMs: number
}

/** A correction whose timer is `delayMs` late. */
function late(correction: Correction, delayMs: number): Correction {
  return correction.kind === 'timed-rate' ? { ...correction, forMs: correction.forMs + delayMs } : correction
}

/** Applies a correction to the player, and counts it if `counted`. A nudge has two changes of rate: start and end. */
function applyCorrection(
  player: SimulatedPlayer,
  correction: Correction,
  expectedMs: number,
  counts: Counts,
  counted: boolean,
): Counts {
  if (correction.kind === 'timed-rate') {
    player.setRate(correction.rate, correction.forMs)
    return counted ? { ...counts, rateChanges: counts.rateChanges + 2 } : counts
  }
  if (correction.kind === 'rate') {
    const before = player.rate
    player.setRate(correction.rate)
    return player.rate !== before && counted ? { ...counts, rateChanges: counts.rateChanges + 1 } : counts
  }
  if (correction.kind === 'seek') {
    player.setRate(1)
    player.seek(expectedMs + correction.leadMs)
    return counted ? { ...counts, seeks: counts.seeks + 1 } : counts
  }
  return counts
}

/** The drift controller. It reads the position every 20 ms, that of a YouTube frame by its refreshes, and corrects every 250 ms. */
export function driftController(
  capabilities: PlayerCapabilities,
): SyncController & { state: () => DriftState } {
  let state = initialDriftState(capabilities)
  let readings: Reading[] = []
  let nextStepMs = 0
  const isExact = capabilities === HTML5_CAPABILITIES
  const act = ({ nowMs, readMs, expectedMs, buffering, aheadMs }: PlayerObservation): Correction => {
    readings = buffering ? [] : withReading(readings, { positionMs: readMs, atMs: nowMs, rate: state.rate })
    if (nowMs < nextStepMs) return { kind: 'none' }
    nextStepMs = nowMs + 250
    const measured = isExact ? { positionMs: readMs, uncertaintyMs: 1 } : steadyPosition(readings)
    const input = {
      nowMs,
      driftMs: measured && !buffering ? measured.positionMs - expectedMs : null,
      uncertaintyMs: measured?.uncertaintyMs ?? 0,
      bufferedAheadMs: aheadMs,
      remainingMs: 600_000,
    }
    const step = stepDrift(state, input, capabilities)
    state = step.state
    if (step.correction.kind === 'seek') readings = []
    if (step.correction.kind === 'rate') readings = atNewRate(readings, nowMs, step.correction.rate)
    return step.correction
  }
  return { cadenceMs: 20, act, state: () => state }
}

/** The rule of Musare: every 150 ms, a rate of 1.05, 1.1 or 1.2 above a drift of 25, 50 or 200 ms, and a seek above 2 s. */
export function musareController(): SyncController {
  let rate = 1
  const act = ({ readMs, expectedMs, buffering }: PlayerObservation): Correction => {
    if (buffering) return { kind: 'none' }
    const driftMs = readMs - expectedMs
    const size = Math.abs(driftMs)
    if (size > 2_000) {
      rate = 1
      return { kind: 'seek', leadMs: 0 }
    }
    const nudge = size > 200 ? 0.2 : size > 50 ? 0.1 : size > 25 ? 0.05 : 0
    const wanted = 1 - Math.sign(driftMs) * nudge
    if (wanted === rate) return { kind: 'none' }
    rate = wanted
    return { kind: 'rate', rate }
  }
  return { cadenceMs: 150, act }
}

/** A controller that never corrects. */
export function noCorrections(): SyncController {
  return { cadenceMs: 1_000, act: () => ({ kind: 'none' }) }
}

/** A YouTube frame that accepts rates in steps of 0.05, without which the rule of Musare has no effect. */
export const YOUTUBE_FINE_RATES_MODEL: PlayerModel = { ...YOUTUBE_MODEL, rateStep: 0.05 }

/** A connection with 85 % of the needed bandwidth. */
export const SLOW_LINE_MODEL: PlayerModel = { ...HTML5_MODEL, bandwidth: 0.85, stallEveryMs: 3_600_000 }

export {
  HTML5_CAPABILITIES,
  HTML5_MODEL,
  YOUTUBE_CAPABILITIES,
  YOUTUBE_COARSE_CAPABILITIES,
  YOUTUBE_FINE_CAPABILITIES,
  YOUTUBE_MODEL,
}
