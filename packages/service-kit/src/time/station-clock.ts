/** Time sources of a clock: wall clock (epoch ms) and monotonic clock (ms). */
export interface ClockSource {
  wallMs(): number
  monotonicMs(): number
}

/** Clock errors up to this are tolerated, in ms. NTP keeps clocks far closer than this. */
const TOLERANCE_MS = 1000

const machine: ClockSource = { wallMs: () => Date.now(), monotonicMs: () => performance.now() }

/**
 * The station's wall-clock time (epoch ms): the machine's clock, corrected in two cases:
 * - a step of more than a second against the monotonic clock is ignored;
 * - an error of more than a second against the station's reference is corrected. The reference is the database's clock;
 *   for a gateway it is the scheduler's time.
 *
 * An operator's mistake or a broken NTP therefore neither moves a timeline nor invalidates tokens.
 */
export class StationClock {
  readonly #source: ClockSource
  #correctionMs = 0
  #wallMs: number
  #monotonicMs: number

  constructor(source: ClockSource = machine) {
    this.#source = source
    this.#wallMs = source.wallMs()
    this.#monotonicMs = source.monotonicMs()
  }

  /** Current time in epoch ms. Bound: may be passed as a function. */
  readonly now = (): number => {
    const wallMs = this.#source.wallMs()
    const monotonicMs = this.#source.monotonicMs()
    const stepMs = wallMs - this.#wallMs - (monotonicMs - this.#monotonicMs)
    if (Math.abs(stepMs) > TOLERANCE_MS) this.#correctionMs -= stepMs
    this.#wallMs = wallMs
    this.#monotonicMs = monotonicMs
    return Math.round(wallMs + this.#correctionMs)
  }

  /**
   * Corrects the clock by a reference time that was requested at `askedAtMs` of this clock. Returns the correction in ms:
   * 0 if the error is within the tolerance.
   */
  adjust(referenceMs: number, askedAtMs: number): number {
    const nowMs = this.now()
    const errorMs = referenceMs - Math.min(nowMs, Math.max(askedAtMs, referenceMs))
    if (Math.abs(errorMs) <= TOLERANCE_MS) return 0
    this.#correctionMs += errorMs
    return errorMs
  }
}
