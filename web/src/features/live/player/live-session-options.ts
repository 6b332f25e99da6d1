import type { PlayerErrorKind } from '../../../lib/media/player-error-kind.ts'
import type { LiveVideoProgramme, Substitute } from './live-state.ts'
import type { PlayerFactory, PlayerKind } from './player.ts'

export interface LiveSessionOptions {
  /** The server's time (epoch ms): a monotonic local clock plus the measured offset. */
  serverNowMs: () => number
  players: Record<PlayerKind, PlayerFactory>
  /** Called when more programmes are needed: few are left, or nothing is on. */
  onProgrammesNeeded: () => void
  /** Called when the video itself cannot be played. `code` is the player's. */
  onUnplayable: (programme: LiveVideoProgramme, kind: PlayerErrorKind, code: number) => void
  /** Videos for viewers in whose region a programme's video does not play, the best one first. Does not reject. */
  findSubstitutes: (programme: LiveVideoProgramme) => Promise<readonly Substitute[]>
  /** Called once per programme if a player or media server cannot be reached. */
  onUnreachable: (kind: PlayerKind) => void
  /** Called with the duration of the whole media if it differs from the known one by more than a second. */
  onDuration: (programme: LiveVideoProgramme, durationMs: number) => void
}
