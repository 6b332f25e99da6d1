/** When the next programmes are requested, before the end of the current one (docs/product/viewer.md §4 and §9). */
const BEFORE_END = [
  { name: 'regular', beforeMs: 8_000, minimumMs: 2_000 },
  { name: 'backup', beforeMs: 3_000, minimumMs: 4_000 },
  { name: 'emergency', beforeMs: 0, minimumMs: 6_000 },
] as const
const NO_DURATION_MS = 25_000

export interface TopUpTime {
  name: 'regular' | 'backup' | 'emergency' | 'no-duration'
  delayMs: number
}

/** The delays of the requests when a video begins with `remainingMs` left; undefined if its duration is unknown. */
export function topUpTimes(remainingMs: number | undefined): TopUpTime[] {
  if (remainingMs === undefined) return [{ name: 'no-duration', delayMs: NO_DURATION_MS }]
  return BEFORE_END.map(({ name, beforeMs, minimumMs }) => ({
    name,
    delayMs: Math.max(remainingMs - beforeMs, minimumMs),
  }))
}

/** Requests the next programmes at the times of `topUpTimes`. */
export class TopUpTimers {
  readonly request: () => void
  #timers: ReturnType<typeof setTimeout>[] = []

  constructor(request: () => void) {
    this.request = request
  }

  /** Sets the timers for a video that begins with `remainingMs` left. */
  set(remainingMs: number): void {
    this.clear()
    this.#timers = topUpTimes(remainingMs).map(({ delayMs }) => setTimeout(this.request, delayMs))
  }

  /** Requests every 25 s while nothing is on: there is no end to count from. */
  repeat(): void {
    if (this.#timers.length > 0) return
    this.#timers = topUpTimes(undefined).map(({ delayMs }) => setInterval(this.request, delayMs))
  }

  clear(): void {
    for (const timer of this.#timers) clearTimeout(timer)
    this.#timers = []
  }
}
