import type { Random } from '../random.ts'

/** Properties of a simulated player and its connection. Times in ms. */
export interface PlayerModel {
  /** Time from a seek or a load to playing at the target. */
  latencyMs: (random: Random) => number
  /** Interval at which the reported position is refreshed; 0: it is exact. */
  refreshMs: number
  /** Largest random error of a reported position, ±. */
  noiseMs: number
  /** Largest deviation of the media clock's rate, ±. */
  skew: number
  /** Delay of playback when the rate changes from 1, because Chromium's audio time stretching first fills a buffer. */
  rateEntryMs: number
  /** Rates are rounded towards 1 to a multiple of this; 0: any rate. */
  rateStep: number
  /** Mean time between stalls that playback does not cause, and their duration. */
  stallEveryMs: number
  stallMs: (random: Random) => number
  /** Media loaded per ms (1: as fast as it plays; Infinity: loaded at once). */
  bandwidth: number
}

const MAX_AHEAD_MS = 30_000
const START_BUFFER_MS = 1_000

/** `<video>` in Chromium on a fast connection, as measured. */
export const HTML5_MODEL: PlayerModel = {
  latencyMs: (random) => 40 + random() * 120,
  refreshMs: 0,
  noiseMs: 1,
  skew: 100e-6,
  rateEntryMs: 23,
  rateStep: 0,
  stallEveryMs: 240_000,
  stallMs: (random) => 200 + random() * 800,
  bandwidth: Number.POSITIVE_INFINITY,
}

/** A YouTube frame: position refreshed every 250 ms, seeks of 300 ± 200 ms, rates in steps of 0.25. */
export const YOUTUBE_MODEL: PlayerModel = {
  latencyMs: (random) => 100 + random() * 400,
  refreshMs: 250,
  noiseMs: 0,
  skew: 100e-6,
  rateEntryMs: 23,
  rateStep: 0.25,
  stallEveryMs: 300_000,
  stallMs: (random) => 500 + random() * 2_000,
  bandwidth: Number.POSITIVE_INFINITY,
}

/** A media player on a simulated clock: it plays, seeks, stalls and loads, and reports its position with its own precision. */
export class SimulatedPlayer {
  /** The true position, which controllers do not read. */
  positionMs: number
  rate = 1
  stalledMs = 0
  readonly #model: PlayerModel
  readonly #random: Random
  readonly #skew: number
  #nowMs = 0
  #busyUntilMs: number
  #nextStallMs: number
  #rateEndsAtMs = Number.POSITIVE_INFINITY
  #loadedToMs: number
  #isUnderrun = false
  #shown: { positionMs: number; atMs: number }

  constructor(model: PlayerModel, random: Random, startMs: number) {
    this.#model = model
    this.#random = random
    this.positionMs = startMs
    this.#skew = (random() * 2 - 1) * model.skew
    this.#busyUntilMs = model.latencyMs(random)
    this.#nextStallMs = this.#drawStall()
    this.#loadedToMs = startMs + (Number.isFinite(model.bandwidth) ? 2 * START_BUFFER_MS : MAX_AHEAD_MS)
    this.#shown = { positionMs: startMs, atMs: 0 }
  }

  get buffering(): boolean {
    return this.#isUnderrun || this.#nowMs < this.#busyUntilMs
  }

  get bufferedAheadMs(): number {
    return Math.max(0, this.#loadedToMs - this.positionMs)
  }

  /** Plays at `rate`, and at 1 again after `forMs`. */
  setRate(rate: number, forMs = Number.POSITIVE_INFINITY): void {
    this.#rateEndsAtMs = this.#nowMs + forMs
    const { rateStep } = this.#model
    const before = this.rate
    this.rate = rateStep > 0 ? 1 + Math.trunc((rate - 1) / rateStep) * rateStep : rate
    if (before === 1 && this.rate !== 1) this.positionMs -= this.#model.rateEntryMs
  }

  seek(targetMs: number): void {
    const loaded = targetMs <= this.#loadedToMs
    this.positionMs = Math.max(0, targetMs)
    if (!loaded) this.#loadedToMs = this.positionMs
    this.#isUnderrun = !loaded
    this.#busyUntilMs = this.#nowMs + this.#model.latencyMs(this.#random)
    this.#shown = { positionMs: this.positionMs, atMs: this.#nowMs }
  }

  /** The position that the player reports. */
  read(): number {
    const noise = (this.#random() * 2 - 1) * this.#model.noiseMs
    return (this.#model.refreshMs > 0 ? this.#shown.positionMs : this.positionMs) + noise
  }

  advance(stepMs: number): void {
    this.#nowMs += stepMs
    this.#load(stepMs)
    if (this.#nowMs >= this.#rateEndsAtMs) this.setRate(1)
    if (this.#nowMs >= this.#nextStallMs) {
      this.#busyUntilMs = Math.max(this.#busyUntilMs, this.#nowMs + this.#model.stallMs(this.#random))
      this.#nextStallMs = this.#nowMs + this.#drawStall()
    }
    if (this.buffering) this.stalledMs += stepMs
    else this.#play(stepMs)
    if (this.#nowMs - this.#shown.atMs >= this.#model.refreshMs) {
      this.#shown = { positionMs: this.positionMs, atMs: this.#nowMs }
    }
  }

  #play(stepMs: number): void {
    const next = this.positionMs + stepMs * this.rate * (1 + this.#skew)
    if (next >= this.#loadedToMs) this.#isUnderrun = true
    this.positionMs = Math.min(next, this.#loadedToMs)
  }

  #load(stepMs: number): void {
    const gain = Number.isFinite(this.#model.bandwidth) ? stepMs * this.#model.bandwidth : MAX_AHEAD_MS
    this.#loadedToMs = Math.max(
      this.#loadedToMs,
      Math.min(this.#loadedToMs + gain, this.positionMs + MAX_AHEAD_MS),
    )
    if (this.bufferedAheadMs >= START_BUFFER_MS) this.#isUnderrun = false
  }

  #drawStall(): number {
    return this.#model.stallEveryMs * (0.5 + this.#random())
  }
}
