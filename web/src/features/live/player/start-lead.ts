import type { PlayerKind } from './player.ts'

/** First guesses (ms): how long from load to a moving picture, for a player that already runs and for a new one. */
const GUESS: Record<PlayerKind, { warm: number; cold: number }> = {
  html5: { warm: 40, cold: 150 },
  youtube: { warm: 700, cold: 1_500 },
}
const LONGEST_MS = 1_500
const GAIN = 0.4
const STALL_MS = 3_000

/**
 * How much before its instant a video is loaded, so that its first frame comes on time. Learned from how late or
 * early videos really began.
 */
export class StartLead {
  private readonly warm = new Map<PlayerKind, number>()

  of(kind: PlayerKind, isWarm: boolean): number {
    return isWarm ? (this.warm.get(kind) ?? GUESS[kind].warm) : GUESS[kind].cold
  }

  /** A warm start was off by `driftMs` (late: negative). Seconds are a stall and teach nothing. */
  learn(kind: PlayerKind, driftMs: number): void {
    if (Math.abs(driftMs) > STALL_MS) return
    const next = this.of(kind, true) - GAIN * driftMs
    this.warm.set(kind, Math.min(Math.max(next, 0), LONGEST_MS))
  }
}
