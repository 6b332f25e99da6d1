/** When the next video is asked for, before the end of the current one (docs/product/viewer.md §4 and §9). */
const BEFORE_END = [
  { name: 'regular', beforeMs: 8_000, minimumMs: 2_000 },
  { name: 'backup', beforeMs: 3_000, minimumMs: 4_000 },
  { name: 'emergency', beforeMs: 0, minimumMs: 6_000 },
] as const
const NO_DURATION_MS = 25_000

export type EndTimer = { name: 'regular' | 'backup' | 'emergency' | 'no-duration'; delayMs: number }

/** The timers to set when a video has begun with `remainingMs` to go; undefined when its length is not known. */
export function endTimers(remainingMs: number | undefined): EndTimer[] {
  if (remainingMs === undefined) return [{ name: 'no-duration', delayMs: NO_DURATION_MS }]
  return BEFORE_END.map(({ name, beforeMs, minimumMs }) => ({
    name,
    delayMs: Math.max(remainingMs - beforeMs, minimumMs),
  }))
}

/** Asks for the next programmes at the times of endTimers. */
export class NextAsker {
  private readonly ask: () => void
  private timers: ReturnType<typeof setTimeout>[] = []

  constructor(ask: () => void) {
    this.ask = ask
  }

  /** A video has begun with `remainingMs` to go. */
  set(remainingMs: number): void {
    this.clear()
    this.timers = endTimers(remainingMs).map(({ delayMs }) => setTimeout(this.ask, delayMs))
  }

  /** Nothing is on: there is no end to count from, so it asks again and again. */
  keepAsking(): void {
    if (this.timers.length > 0) return
    this.timers = endTimers(undefined).map(({ delayMs }) => setInterval(this.ask, delayMs))
  }

  clear(): void {
    for (const timer of this.timers) clearTimeout(timer)
    this.timers = []
  }
}
