/** What to do to a video that has been told to play and is neither seen nor heard yet. */
export type GateStep =
  /** It does not move yet. */
  | { kind: 'wait' }
  /** It moves, but not in step: at this rate it soon will. */
  | { kind: 'rate'; rate: number }
  /** Let it be seen and heard, at rate 1. */
  | { kind: 'open' }

export type GateSight = {
  nowMs: number
  /** The player's position minus where it should be (ms): negative means late. */
  offMs: number
  /** How far it has come since it was told to play (ms). */
  movedMs: number
}

/** This close is in step: two windows are then within twice of it of each other. */
const CLOSE_MS = 20
/** Less than this is a frame that was shown before the clock ran. */
const MOVING_MS = 5
/** Nobody waits longer than this for a picture that moves. */
const PATIENCE_MS = 600
/** Further off than this it cannot be brought in step in time: that is for the sync loop. */
const REACH_MS = 500
/** What is off is made good in about this long, as far as the rates allow. */
const HORIZON_MS = 200
/** A page that is too busy to look lets the rate run on: it must not run away meanwhile. */
const MIN_RATE = 0.6
const MAX_RATE = 1.5
/** A rate closer to 1 would take too long. */
const LEAST_CHANGE = 0.1
/** Each change of rate costs the player something: only for as much as this. */
const WORTH_CHANGING = 0.15

/**
 * The beginning of a video, behind the curtain. Players need an uncertain few dozen ms to begin, more on a busy
 * machine. What is off is made good before anybody sees or hears it, at rates that nobody would bear later.
 */
export class StartGate {
  private movesSinceMs: number | undefined
  private rate = 1
  private beganOffMs: number | undefined

  /** How far off it was when it began to move (ms); undefined before. */
  get startErrorMs(): number | undefined {
    return this.beganOffMs
  }

  step({ nowMs, offMs, movedMs }: GateSight): GateStep {
    if (this.movesSinceMs === undefined) {
      if (movedMs < MOVING_MS) return { kind: 'wait' }
      this.movesSinceMs = nowMs
      this.beganOffMs = offMs
    }
    const isOver = nowMs - this.movesSinceMs >= PATIENCE_MS
    if (Math.abs(offMs) <= CLOSE_MS || Math.abs(offMs) > REACH_MS || isOver) return { kind: 'open' }
    const wished = rateFor(offMs)
    const isTurned = (wished - 1) * (this.rate - 1) <= 0
    if (isTurned || Math.abs(wished - this.rate) >= WORTH_CHANGING) this.rate = wished
    return { kind: 'rate', rate: this.rate }
  }
}

function rateFor(offMs: number): number {
  const change = Math.max(Math.abs(offMs) / HORIZON_MS, LEAST_CHANGE)
  return offMs < 0 ? Math.min(1 + change, MAX_RATE) : Math.max(1 - change, MIN_RATE)
}
