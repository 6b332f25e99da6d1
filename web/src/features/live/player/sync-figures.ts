import type { LiveProgramme, LiveTelemetry } from './live-state.ts'
import type { SyncLoop } from './sync-loop.ts'

export type StepSight = {
  /** Server epoch ms. */
  nowMs: number
  muted: boolean
  /** How many programmes are known beyond what is on, and until when. */
  window: { ahead: number; endsAtMs: number }
}

/** One step of the loop that keeps `programme` in time, told as the figures a viewer may see. */
export function takeStep(
  loop: SyncLoop,
  programme: LiveProgramme,
  { nowMs, muted, window }: StepSight,
): { figures: LiveTelemetry; startDriftMs: number | undefined } {
  const localNowMs = performance.now()
  const { startDriftMs, ...report } = loop.step({
    startsAtMs: programme.startsAtMs,
    endsAtMs: programme.endsAtMs,
    muted,
    serverAt: (localMs) => nowMs + (localMs - localNowMs),
    localNowMs,
  })
  const figures = {
    ...report,
    programmeId: programme.id,
    bufferedProgrammes: window.ahead,
    windowEndsAtMs: window.endsAtMs,
  }
  return { figures, startDriftMs }
}
