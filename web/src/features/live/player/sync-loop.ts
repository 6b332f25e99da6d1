import { stepDrift } from '@looptide/playhead/drift-controller'
import { type DriftState, initialDriftState } from '@looptide/playhead/drift-state'
import { MUTED_MAX_NUDGE, type PlayerCapabilities } from '@looptide/playhead/player-capabilities'
import { type LiveTelemetry, type LiveVideoProgramme, mediaZeroAtMs } from './live-state.ts'
import type { Player } from './player.ts'

/** The result of one step: the measurement, and the corrections so far. */
export interface SyncReport {
  driftMs: number | null
  positionMs: number | null
  measuredAtMs: number
  measuredAtLocalMs: number
  rate: number
  phase: DriftState['phase']
  seekLatencyMs: number
  seeks: number
  rateChanges: number
  bufferedAheadMs: number | null
  /** Drift at the start of the video, reported once: the first measurement before any correction. */
  startDriftMs: number | undefined
}

export interface SyncInput {
  /** Server epoch ms at which the media is at position 0. */
  mediaZeroAtMs: number
  endsAtMs: number
  /** Whether the player is inaudible. */
  muted: boolean
  /** Server epoch ms of a local instant (performance.now()). */
  serverAt: (localMs: number) => number
  localNowMs: number
}

/** Corrects the drift of one player with the drift controller. Keeps what it learns about the player between videos. */
export class SyncLoop {
  readonly #player: Player
  #drift: DriftState
  #seeks = 0
  #rateChanges = 0
  #isUncorrected = true
  /** The running timed nudge. */
  #nudge: { rate: number; timer: ReturnType<typeof setTimeout> } | undefined

  constructor(player: Player) {
    this.#player = player
    this.#drift = initialDriftState(player.capabilities())
  }

  /** Call it when a new video is loaded. */
  begin(): void {
    this.end()
    this.#drift = initialDriftState(this.#player.capabilities(), this.#drift)
    this.#isUncorrected = true
  }

  /** Ends a running nudge. Call it before the player is destroyed. */
  end(): void {
    if (!this.#nudge) return
    clearTimeout(this.#nudge.timer)
    this.#nudge = undefined
    this.#rateChanges += 1
    this.#player.setRate(1)
  }

  /** Measures the player's position and corrects it if needed. */
  step(input: SyncInput): SyncReport {
    const player = this.#player
    const capabilities = usableCapabilities(player.capabilities(), input.muted)
    const reading = player.read()
    const measuredAtLocalMs = reading?.atMs ?? input.localNowMs
    const measuredAtMs = input.serverAt(measuredAtLocalMs)
    const rawDriftMs = reading ? reading.positionMs - (measuredAtMs - input.mediaZeroAtMs) : null
    const wasSettling = this.#drift.phase === 'settling'
    const { state, correction } = stepDrift(
      this.#drift,
      {
        nowMs: input.localNowMs,
        driftMs: rawDriftMs,
        uncertaintyMs: reading?.uncertaintyMs ?? 0,
        bufferedAheadMs: reading?.bufferedAheadMs ?? null,
        remainingMs: input.endsAtMs - input.serverAt(input.localNowMs),
      },
      capabilities,
    )
    this.#drift = state
    if (correction.kind === 'rate') {
      this.#rateChanges += 1
      player.setRate(correction.rate)
    }
    if (correction.kind === 'timed-rate') this.#beginNudge(correction.rate, correction.forMs)
    if (correction.kind === 'seek') {
      this.end()
      this.#seeks += 1
      player.setRate(1)
      player.seek(input.serverAt(input.localNowMs) - input.mediaZeroAtMs + correction.leadMs)
    }
    const settled = wasSettling && state.driftMs !== null && this.#isUncorrected
    if (settled) this.#isUncorrected = false
    return {
      driftMs: rawDriftMs === null ? null : (state.driftMs ?? rawDriftMs),
      positionMs: reading?.positionMs ?? null,
      measuredAtMs,
      measuredAtLocalMs,
      rate: this.#nudge?.rate ?? state.rate,
      phase: state.phase,
      seekLatencyMs: state.seekLatencyMs,
      seeks: this.#seeks,
      rateChanges: this.#rateChanges,
      bufferedAheadMs: reading?.bufferedAheadMs ?? null,
      startDriftMs: settled ? (state.driftMs ?? undefined) : undefined,
    }
  }

  #beginNudge(rate: number, forMs: number): void {
    this.end()
    this.#rateChanges += 1
    this.#player.setRate(rate)
    this.#nudge = { rate, timer: setTimeout(() => this.end(), forMs) }
  }
}

/** A larger change of rate is audible (see the drift controller). */
const AUDIBLE_STEP = 0.05
/** The sounds of two screens that are closer together are heard as one (precedence effect), in ms. */
const AUDIBLE_GAP_MS = 40

/** What may be used of `capabilities` at the moment. */
function usableCapabilities(capabilities: PlayerCapabilities, muted: boolean): PlayerCapabilities {
  if (!capabilities.rates) return capabilities
  // In a hidden page timers fire once a second at most: a nudge would last too long.
  if (capabilities.isNudgeTimed && document.hidden) return { ...capabilities, rates: null }
  if (muted) return { ...capabilities, maxNudge: Math.max(capabilities.maxNudge, MUTED_MAX_NUDGE) }
  if (capabilities.rates.step <= AUDIBLE_STEP) return capabilities
  // An audible rate change is used only just after a start, or where a seek would be needed otherwise.
  return { ...capabilities, nudgeFloorMs: capabilities.seekFloorMs, startNudgeFloorMs: AUDIBLE_GAP_MS }
}

interface StepInput {
  /** Server epoch ms. */
  nowMs: number
  muted: boolean
  /** How many programmes are known after the current one, and until when. */
  window: { ahead: number; endsAtMs: number }
}

/** Runs one step of the sync loop for `programme` and returns its telemetry. */
export function takeStep(
  loop: SyncLoop,
  programme: LiveVideoProgramme,
  { nowMs, muted, window }: StepInput,
): { telemetry: LiveTelemetry; startDriftMs: number | undefined } {
  const localNowMs = performance.now()
  const { startDriftMs, ...report } = loop.step({
    mediaZeroAtMs: mediaZeroAtMs(programme),
    endsAtMs: programme.endsAtMs,
    muted,
    serverAt: (localMs) => nowMs + (localMs - localNowMs),
    localNowMs,
  })
  const telemetry = {
    ...report,
    programmeId: programme.id,
    bufferedProgrammes: window.ahead,
    windowEndsAtMs: window.endsAtMs,
  }
  return { telemetry, startDriftMs }
}
