/** Ticks at an interval, and additionally at the exact instant of the next cut. */
export class Ticker {
  readonly #everyMs: number
  readonly #tick: () => void
  #interval: ReturnType<typeof setInterval> | undefined
  #aimed: ReturnType<typeof setTimeout> | undefined

  constructor(everyMs: number, tick: () => void) {
    this.#everyMs = everyMs
    this.#tick = tick
  }

  start(): void {
    this.#interval = setInterval(this.#tick, this.#everyMs)
  }

  stop(): void {
    clearInterval(this.#interval)
    this.aim(undefined)
  }

  /** Schedules an additional tick in `waitMs`. Called at every tick, so distant instants are ignored. */
  aim(waitMs: number | undefined): void {
    clearTimeout(this.#aimed)
    if (waitMs === undefined || waitMs > 2 * this.#everyMs) return
    this.#aimed = setTimeout(this.#tick, Math.max(waitMs, 0))
  }
}
