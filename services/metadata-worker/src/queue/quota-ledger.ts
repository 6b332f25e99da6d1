import type { Redis } from 'ioredis'
import { KEY_PREFIX } from '../redis.ts'
import { QuotaExhaustedError } from '../youtube/outcome.ts'
import { nextPacificMidnight, pacificDay } from './pacific-day.ts'

/** Retention of a day's counter, in s. */
const RETENTION_S = 3 * 86_400
const PAUSE_KEY = `${KEY_PREFIX}:paused-until`

interface LedgerOptions {
  /** Quota units per day; null without an API key, where there is no quota. */
  limit: number | null
  callsPerSecond: number
  now: () => number
}

/** Quota, rate limit and pause of calls to YouTube, in Redis: shared by all workers. */
export class QuotaLedger {
  readonly #redis: Redis
  readonly #options: LedgerOptions

  constructor(redis: Redis, options: LedgerOptions) {
    this.#redis = redis
    this.#options = options
  }

  get limit(): number | null {
    return this.#options.limit
  }

  #key(): string {
    return `${KEY_PREFIX}:quota:${pacificDay(this.#options.now())}`
  }

  /** Time of the next quota reset, in epoch ms; null if there is no quota. */
  get resetsAtMs(): number | null {
    return this.limit === null ? null : nextPacificMidnight(this.#options.now())
  }

  /**
   * Spends one unit of quota. Called before the API call, so that a crash cannot leave a call uncounted. Throws
   * {@link QuotaExhaustedError}.
   */
  async spend(): Promise<void> {
    const { limit } = this.#options
    const used = await this.#increment(this.#key(), RETENTION_S)
    if (limit === null || used <= limit) return
    await this.#redis.decr(this.#key())
    throw new QuotaExhaustedError()
  }

  async used(): Promise<number> {
    return Number((await this.#redis.get(this.#key())) ?? 0)
  }

  /** Resolves when the rate limit allows one more call. */
  async waitForRateLimit(): Promise<void> {
    for (;;) {
      const second = Math.floor(Date.now() / 1000)
      const calls = await this.#increment(`${KEY_PREFIX}:calls:${second}`, 5)
      if (calls <= this.#options.callsPerSecond) return
      await new Promise((resolve) => setTimeout(resolve, (second + 1) * 1000 - Date.now() + 1))
    }
  }

  async #increment(key: string, retentionS: number): Promise<number> {
    const results = await this.#redis.multi().incr(key).expire(key, retentionS).exec()
    return Number(results?.[0]?.[1] ?? 0)
  }

  /** Pauses all workers until the quota is reset, and returns that time in epoch ms. */
  async pauseUntilReset(): Promise<number> {
    const untilMs = nextPacificMidnight(this.#options.now())
    await this.pauseUntil(untilMs)
    return untilMs
  }

  /** Pauses all workers until then, unless they are paused for longer. */
  async pauseUntil(untilMs: number): Promise<void> {
    if (untilMs > ((await this.pausedUntil()) ?? 0)) await this.#redis.set(PAUSE_KEY, String(untilMs))
  }

  /** End of the current pause, in epoch ms; null if there is none. */
  async pausedUntil(): Promise<number | null> {
    const untilMs = Number((await this.#redis.get(PAUSE_KEY)) ?? 0)
    return untilMs > this.#options.now() ? untilMs : null
  }
}
