import {
  type DriftState,
  initialDriftState,
  MUTED_MAX_NUDGE,
  type PlayerCapabilities,
  stepDrift,
} from '@looptide/playhead/drift-controller'
import type { Player } from './player.ts'

/** What one look at the player found, and what has been done about it so far. */
export type SyncReport = {
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
  /** Drift with which the video began, told once: the first measurement before any correction. */
  startDriftMs: number | undefined
}

export type SyncInput = {
  startsAtMs: number
  endsAtMs: number
  /** Nobody hears the player. */
  muted: boolean
  /** Server epoch ms of a local instant (performance.now()). */
  serverAt: (localMs: number) => number
  localNowMs: number
}

/** Drives one player by the drift controller; keeps what it learns of that player from video to video. */
export class SyncLoop {
  private readonly player: Player
  private drift: DriftState
  private seeks = 0
  private rateChanges = 0
  private begunClean = true

  constructor(player: Player) {
    this.player = player
    this.drift = initialDriftState(player.capabilities())
  }

  /** A new video is loading. */
  begin(): void {
    this.drift = initialDriftState(this.player.capabilities(), this.drift)
    this.begunClean = true
  }

  /** Looks at the player and corrects it if need be. */
  step(input: SyncInput): SyncReport {
    const { player } = this
    const capabilities = heardAbilities(player.capabilities(), input.muted)
    const reading = player.read()
    const measuredAtLocalMs = reading?.atMs ?? input.localNowMs
    const measuredAtMs = input.serverAt(measuredAtLocalMs)
    const rawDriftMs = reading ? reading.positionMs - (measuredAtMs - input.startsAtMs) : null
    const wasSettling = this.drift.phase === 'settling'
    const { state, correction } = stepDrift(
      this.drift,
      {
        nowMs: input.localNowMs,
        driftMs: rawDriftMs,
        uncertaintyMs: reading?.uncertaintyMs ?? 0,
        bufferedAheadMs: reading?.bufferedAheadMs ?? null,
        remainingMs: input.endsAtMs - input.serverAt(input.localNowMs),
      },
      capabilities,
    )
    this.drift = state
    if (correction.kind === 'rate') {
      this.rateChanges += 1
      player.setRate(correction.rate)
    }
    if (correction.kind === 'seek') {
      this.seeks += 1
      player.setRate(1)
      player.seek(input.serverAt(input.localNowMs) - input.startsAtMs + correction.leadMs)
    }
    const settled = wasSettling && state.driftMs !== null && this.begunClean
    if (settled) this.begunClean = false
    return {
      driftMs: rawDriftMs === null ? null : (state.driftMs ?? rawDriftMs),
      positionMs: reading?.positionMs ?? null,
      measuredAtMs,
      measuredAtLocalMs,
      rate: state.rate,
      phase: state.phase,
      seekLatencyMs: state.seekLatencyMs,
      seeks: this.seeks,
      rateChanges: this.rateChanges,
      bufferedAheadMs: reading?.bufferedAheadMs ?? null,
      startDriftMs: settled ? (state.driftMs ?? undefined) : undefined,
    }
  }
}

/** Beyond this a change of speed is heard (see the drift controller). */
const AUDIBLE_STEP = 0.05

function heardAbilities(capabilities: PlayerCapabilities, muted: boolean): PlayerCapabilities {
  if (!capabilities.rates) return capabilities
  if (muted) return { ...capabilities, maxNudge: Math.max(capabilities.maxNudge, MUTED_MAX_NUDGE) }
  // A burst that is heard is only better than the seek it saves.
  const isHeard = capabilities.rates.step > AUDIBLE_STEP
  return isHeard ? { ...capabilities, nudgeFloorMs: capabilities.seekFloorMs } : capabilities
}
