import type { LiveProgramme } from './live-state.ts'
import type { PlayerErrorKind, PlayerFactory, PlayerKind } from './player.ts'

export type LiveSessionOptions = {
  /** Server epoch ms now: a monotonic local clock plus the measured offset. */
  serverNowMs: () => number
  players: Record<PlayerKind, PlayerFactory>
  /** The window of programmes should be topped up: it runs low, or nothing is on. */
  onProgrammesNeeded: () => void
  /** A video that does not play for a reason of its own; worth a report. `code` is the player's. */
  onUnplayable: (programme: LiveProgramme, kind: PlayerErrorKind, code: number) => void
  /** Nothing of this kind can be reached from here. Told once per programme. */
  onUnreachable: (kind: PlayerKind) => void
  /** The true length, when it differs from the timeline's by more than a second. */
  onDuration: (programme: LiveProgramme, durationMs: number) => void
}
