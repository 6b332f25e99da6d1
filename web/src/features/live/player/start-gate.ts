/** What to do with a starting video that is still hidden and muted. */
export type GateStep =
  /** It has not started to move, or its position is not steady yet. */
  | { kind: 'wait' }
  /** It is out of sync: play at this rate to correct it. At rate 1 the result is measured. */
  | { kind: 'rate'; rate: number }
  /** Show and unmute it, at rate 1. */
  | { kind: 'open' }

export interface GateInput {
  nowMs: number
  /** The player's position minus where it should be (ms): negative means late. Null if there is no such place. */
  offMs: number | null
  /** Movement of the position since playback was requested, in ms. */
  movedMs: number
}

/** Offset that counts as in sync: two viewers are then at most twice this apart. */
const IN_SYNC_MS = 4
/** Movement below this is a frame shown before the media clock started. */
const MOVING_MS = 5
/** A moving video is shown after this time at the latest. */
const MAX_HIDDEN_MS = 600
/** No correction begins after this time (ms): it could not end and be measured. */
const LAST_CORRECTION_MS = 330
/** A larger offset cannot be corrected in time: the sync loop seeks instead. */
const MAX_CORRECTABLE_MS = 500
/** A media clock stands still for some ms after a start and after each change of the rate, then catches up. */
const STEADY_LOOKS = 3
/** Offsets of a steady clock differ by less than this (ms). */
const STEADY_MS = 2
/** Time in which an offset is corrected, if the rate limits allow it. */
const CORRECTION_MS = 160
/** Limits of the rate: on a busy page a rate may stay set for longer than intended. */
const MIN_RATE = 0.6
const MAX_RATE = 1.5
/** Minimum deviation from rate 1; a smaller one would take too long. */
const MIN_DEVIATION = 0.05

/** A larger jump was a stall (ms). */
const MAX_JUMP_MS = 60

interface Correction {
  rate: number
  beganAtMs: number
  beganOffMs: number
  lookedAtMs: number
}

/**
 * Synchronises a video while it is still hidden. Players take a few dozen ms to start, more on a busy machine. The
 * offset is corrected before the video is visible and audible, at rates that would be noticed later.
 *
 * A clock cannot be read while it is at another rate: the player has a queue of sound, so that a rate works some 50 ms
 * late. So an offset is corrected by a rate and a time that are known before, and then measured again.
 */
export class StartGate {
  #jumpMs: number
  #movesSinceMs: number | undefined
  #looks: number[] = []
  #correction: Correction | undefined
  /** The offset that the last correction would have left without the jump (ms), until the jump is measured. */
  #withoutJumpMs: number | undefined
  #startErrorMs: number | undefined
  #isSteadyMeasured = false

  /** `jumpMs`: the expected jump of the position when its rate changes from 1. */
  constructor(jumpMs: number) {
    this.#jumpMs = jumpMs
  }

  /** The offset before any correction (ms), as far as it was measured; undefined before it moved. */
  get startErrorMs(): number | undefined {
    return this.#startErrorMs
  }

  /** The jump of the position when its rate changed from 1, as measured if there was a correction (ms). */
  get jumpMs(): number {
    return this.#jumpMs
  }

  step({ nowMs, offMs, movedMs }: GateInput): GateStep {
    if (this.#movesSinceMs === undefined) {
      if (movedMs < MOVING_MS) return { kind: 'wait' }
      this.#movesSinceMs = nowMs
      this.#startErrorMs = offMs ?? undefined
    }
    const isOver = nowMs - this.#movesSinceMs >= MAX_HIDDEN_MS
    if (isOver || offMs === null || Math.abs(offMs) > MAX_CORRECTABLE_MS) return { kind: 'open' }
    if (this.#correction !== undefined) return this.#correct(this.#correction, nowMs)
    this.#looks = [...this.#looks, offMs].slice(-STEADY_LOOKS)
    const isSteady = Math.max(...this.#looks) - Math.min(...this.#looks) < STEADY_MS
    if (this.#looks.length < STEADY_LOOKS || !isSteady) return { kind: 'wait' }
    this.#learn(offMs)
    const isTooLate = nowMs - this.#movesSinceMs > LAST_CORRECTION_MS
    return isTooLate || Math.abs(offMs) <= IN_SYNC_MS ? { kind: 'open' } : this.#begin(nowMs, offMs)
  }

  #begin(nowMs: number, offMs: number): GateStep {
    const rate = rateFor(offMs + this.#jumpMs)
    this.#correction = { rate, beganAtMs: nowMs, beganOffMs: offMs, lookedAtMs: nowMs }
    this.#looks = []
    return { kind: 'rate', rate }
  }

  /** Ends a correction at the look that is nearest to its planned end. */
  #correct({ rate, beganAtMs, beganOffMs, lookedAtMs }: Correction, nowMs: number): GateStep {
    const plannedMs = (beganOffMs + this.#jumpMs) / (1 - rate)
    const elapsedMs = nowMs - beganAtMs
    if (plannedMs - elapsedMs > (nowMs - lookedAtMs) / 2) {
      this.#correction = { rate, beganAtMs, beganOffMs, lookedAtMs: nowMs }
      return { kind: 'rate', rate }
    }
    this.#withoutJumpMs = beganOffMs + (rate - 1) * elapsedMs
    this.#correction = undefined
    return { kind: 'rate', rate: 1 }
  }

  /** Uses the first steady offset as the error of the start, and the first one after a correction to measure the jump. */
  #learn(offMs: number): void {
    if (!this.#isSteadyMeasured) this.#startErrorMs = offMs
    this.#isSteadyMeasured = true
    const jumpMs = offMs - (this.#withoutJumpMs ?? Number.NaN)
    if (Math.abs(jumpMs) <= MAX_JUMP_MS) this.#jumpMs = jumpMs
    this.#withoutJumpMs = undefined
  }
}

function rateFor(offMs: number): number {
  const change = Math.max(Math.abs(offMs) / CORRECTION_MS, MIN_DEVIATION)
  return offMs < 0 ? Math.min(1 + change, MAX_RATE) : Math.max(1 - change, MIN_RATE)
}
