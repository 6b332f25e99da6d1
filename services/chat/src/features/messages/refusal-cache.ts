import { LRUCache } from 'lru-cache'

const MAX_ENTRIES = 10_000
/** Longest time a refusal is repeated from memory, in ms. Then the database decides again: slow mode may be off. */
const MAX_REPEAT_MS = 2000

interface Refusal {
  message: string
  retryAtMs: number
  repeatUntilMs: number
}

/**
 * Recent rate-limit refusals, by channel and user. A client that floods the chat is refused from memory, without a
 * transaction. The cache only repeats decisions of the database; it makes none.
 */
export class RefusalCache {
  readonly #now: () => number
  readonly #refusals = new LRUCache<string, Refusal>({ max: MAX_ENTRIES })

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  /** Stores a refusal with its message. `retryAfterMs` is the wait that the client was given. */
  add(channelId: string, userId: string, message: string, retryAfterMs: number): void {
    const nowMs = this.#now()
    const repeatUntilMs = nowMs + Math.min(retryAfterMs, MAX_REPEAT_MS)
    this.#refusals.set(`${channelId} ${userId}`, { message, retryAtMs: nowMs + retryAfterMs, repeatUntilMs })
  }

  /** The refusal to repeat, with the remaining wait; null if the database has to decide. */
  find(channelId: string, userId: string): { message: string; retryAfterMs: number } | null {
    const key = `${channelId} ${userId}`
    const refusal = this.#refusals.get(key)
    if (refusal === undefined) return null
    if (this.#now() >= refusal.repeatUntilMs) {
      this.#refusals.delete(key)
      return null
    }
    return { message: refusal.message, retryAfterMs: Math.ceil(refusal.retryAtMs - this.#now()) }
  }
}
