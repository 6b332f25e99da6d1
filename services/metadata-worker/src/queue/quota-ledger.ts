import type { Redis } from 'ioredis'
import { KEY_PREFIX } from '../redis.ts'
import { QuotaOutError } from '../youtube/outcome.ts'
import { nextPacificMidnight, pacificDay } from './pacific-day.ts'

const KEEP_S = 3 * 86_400
const PAUSE = `${KEY_PREFIX}:paused-until`

interface LedgerOptions {
  /** Units a day; null where there is no quota (without a key). */
  limit: number | null
  callsPerSecond: number
  now: () => number
}

/** What has been spent on YouTube today, how fast, and until when nobody may ask: shared by all workers. */
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

  /** When the day's units are there again, in epoch ms; null where there is no quota. */
  get resetsAtMs(): number | null {
    return this.limit === null ? null : nextPacificMidnight(this.#options.now())
  }

  /** Takes one unit, before the call it pays for: a crash may waste one, never spend one unseen. */
  async spend(): Promise<void> {
    const { limit } = this.#options
    const used = await this.#count(this.#key(), KEEP_S)
    if (limit === null || used <= limit) return
    await this.#redis.decr(this.#key())
    throw new QuotaOutError()
  }

  async used(): Promise<number> {
    return Number((await this.#redis.get(this.#key())) ?? 0)
  }

  /** Resolves when this second has room for one more call. */
  async takeTurn(): Promise<void> {
    for (;;) {
      const second = Math.floor(Date.now() / 1000)
      const calls = await this.#count(`${KEY_PREFIX}:calls:${second}`, 5)
      if (calls <= this.#options.callsPerSecond) return
      await new Promise((resolve) => setTimeout(resolve, (second + 1) * 1000 - Date.now() + 1))
    }
  }

  async #count(key: string, keepS: number): Promise<number> {
    const results = await this.#redis.multi().incr(key).expire(key, keepS).exec()
    return Number(results?.[0]?.[1] ?? 0)
  }

  /** Nobody asks YouTube again before the quota is renewed. */
  async pauseUntilRenewal(): Promise<number> {
    const untilMs = nextPacificMidnight(this.#options.now())
    await this.pauseUntil(untilMs)
    return untilMs
  }

  async pauseUntil(untilMs: number): Promise<void> {
    if (untilMs > ((await this.pausedUntil()) ?? 0)) await this.#redis.set(PAUSE, String(untilMs))
  }

  /** Epoch ms; null when nothing holds. */
  async pausedUntil(): Promise<number | null> {
    const untilMs = Number((await this.#redis.get(PAUSE)) ?? 0)
    return untilMs > this.#options.now() ? untilMs : null
  }
}
