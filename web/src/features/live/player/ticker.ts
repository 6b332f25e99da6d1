/** Looks again and again, and once more exactly at an instant that is near: ticks are coarse, a cut is not. */
export class Ticker {
  private readonly everyMs: number
  private readonly tick: () => void
  private interval: ReturnType<typeof setInterval> | undefined
  private aimed: ReturnType<typeof setTimeout> | undefined

  constructor(everyMs: number, tick: () => void) {
    this.everyMs = everyMs
    this.tick = tick
  }

  start(): void {
    this.interval = setInterval(this.tick, this.everyMs)
  }

  stop(): void {
    clearInterval(this.interval)
    this.aim(undefined)
  }

  /** Ticks after `waitMs` too; aimed anew at every tick, so what is far away can wait. */
  aim(waitMs: number | undefined): void {
    clearTimeout(this.aimed)
    if (waitMs === undefined || waitMs > 2 * this.everyMs) return
    this.aimed = setTimeout(this.tick, Math.max(waitMs, 0))
  }
}
