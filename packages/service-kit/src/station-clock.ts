/** Where a clock reads the time: of the day (epoch ms), and of a count that never jumps. */
export interface ClockSource {
  wallMs(): number
  monotonicMs(): number
}

/** Machines whose clocks are kept by NTP agree far better than this (ms); whoever is further off is wrong. */
const TOLERANCE_MS = 1000

const machine: ClockSource = { wallMs: () => Date.now(), monotonicMs: () => performance.now() }

/**
 * The time of the day as the station sees it (epoch ms). It is this machine's, as long as that is plausible:
 * - a step of the machine's clock by more than a second, against the count that never jumps, is not followed;
 * - a clock that is off by more than a second from the station's reference is put right. The reference is the
 *   database's clock, and for a gateway what the scheduler calls the time.
 *
 * So neither an operator's slip nor a broken NTP moves a timeline or spoils tokens.
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

  /** Epoch ms. A function that may be handed on by itself. */
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
   * Somebody whose word counts said that it was `referenceMs`, in answer to a question asked at `askedAtMs` of this
   * clock. Answers by how much the clock was put right: 0 when it was right enough.
   */
  adjust(referenceMs: number, askedAtMs: number): number {
    const nowMs = this.now()
    const errorMs = referenceMs - Math.min(nowMs, Math.max(askedAtMs, referenceMs))
    if (Math.abs(errorMs) <= TOLERANCE_MS) return 0
    this.#correctionMs += errorMs
    return errorMs
  }
}
