import { type LiveTelemetry, type LiveVideoProgramme, mediaZeroAtMs } from './live-state.ts'
import type { SyncLoop } from './sync-loop.ts'

export interface StepInput {
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
