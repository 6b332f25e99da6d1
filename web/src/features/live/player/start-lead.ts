import type { PlayerKind } from './player.ts'

/** Initial estimates (ms) from load to a moving picture, for a player that has played before and for a new one. */
const GUESS: Record<PlayerKind, { warm: number; cold: number }> = {
  html5: { warm: 40, cold: 150 },
  youtube: { warm: 700, cold: 1_500 },
}
const MAX_LEAD_MS = 1_500
const GAIN = 0.4
const STALL_MS = 3_000

/** How long before its start a video is loaded, so that its first frame is on time. Learned from measured starts. */
export class StartLead {
  readonly #warm = new Map<PlayerKind, number>()

  of(kind: PlayerKind, isWarm: boolean): number {
    return isWarm ? (this.#warm.get(kind) ?? GUESS[kind].warm) : GUESS[kind].cold
  }

  /** Records a warm start that was off by `driftMs` (late: negative). More than 3 s is a stall and ignored. */
  learn(kind: PlayerKind, driftMs: number): void {
    if (Math.abs(driftMs) > STALL_MS) return
    const next = this.of(kind, true) - GAIN * driftMs
    this.#warm.set(kind, Math.min(Math.max(next, 0), MAX_LEAD_MS))
  }
}
