/** What to do with a starting video that is still hidden and muted. */
export type GateStep =
  /** It has not started to move. */
  | { kind: 'wait' }
  /** It moves, but is out of sync: play at this rate to correct it. */
  | { kind: 'rate'; rate: number }
  /** Show and unmute it, at rate 1. */
  | { kind: 'open' }

export interface GateInput {
  nowMs: number
  /** The player's position minus where it should be (ms): negative means late. */
  offMs: number
  /** Movement of the position since playback was requested, in ms. */
  movedMs: number
}

/** Offset that counts as in sync: two viewers are then at most twice this apart. */
const IN_SYNC_MS = 20
/** Movement below this is a frame shown before the media clock started. */
const MOVING_MS = 5
/** A moving video is shown after this time at the latest. */
const MAX_HIDDEN_MS = 600
/** A larger offset cannot be corrected in time: the sync loop seeks instead. */
const MAX_CORRECTABLE_MS = 500
/** Time in which an offset is corrected, if the rate limits allow it. */
const CORRECTION_MS = 200
/** Limits of the rate: on a busy page a rate may stay set for longer than intended. */
const MIN_RATE = 0.6
const MAX_RATE = 1.5
/** Minimum deviation from rate 1; a smaller one would take too long. */
const MIN_DEVIATION = 0.1
/** Minimum change of the rate, because each change disturbs the player. */
const MIN_RATE_CHANGE = 0.15

/**
 * Synchronises a video while it is still hidden. Players take a few dozen ms to start, more on a busy machine. The
 * offset is corrected before the video is visible and audible, at rates that would be noticed later.
 */
export class StartGate {
  #movesSinceMs: number | undefined
  #rate = 1
  #firstOffMs: number | undefined

  /** The offset when it began to move (ms); undefined before. */
  get startErrorMs(): number | undefined {
    return this.#firstOffMs
  }

  step({ nowMs, offMs, movedMs }: GateInput): GateStep {
    if (this.#movesSinceMs === undefined) {
      if (movedMs < MOVING_MS) return { kind: 'wait' }
      this.#movesSinceMs = nowMs
      this.#firstOffMs = offMs
    }
    const isOver = nowMs - this.#movesSinceMs >= MAX_HIDDEN_MS
    if (Math.abs(offMs) <= IN_SYNC_MS || Math.abs(offMs) > MAX_CORRECTABLE_MS || isOver)
      return { kind: 'open' }
    const targetRate = rateFor(offMs)
    const isReversed = (targetRate - 1) * (this.#rate - 1) <= 0
    if (isReversed || Math.abs(targetRate - this.#rate) >= MIN_RATE_CHANGE) this.#rate = targetRate
    return { kind: 'rate', rate: this.#rate }
  }
}

function rateFor(offMs: number): number {
  const change = Math.max(Math.abs(offMs) / CORRECTION_MS, MIN_DEVIATION)
  return offMs < 0 ? Math.min(1 + change, MAX_RATE) : Math.max(1 - change, MIN_RATE)
}
