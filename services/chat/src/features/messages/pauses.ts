const REMEMBERED = 10_000
/** So long a refusal is repeated from memory; then the database is asked again, for slow mode may be over. */
const REPEATED_MS = 2000

interface Pause {
  message: string
  untilMs: number
  repeatedUntilMs: number
}

/**
 * Who was told to wait, why, and until when: a flood is refused from memory and costs no transaction.
 * It only ever repeats what the database said a moment ago; the limit itself stands there.
 */
export class Pauses {
  readonly #now: () => number
  readonly #pauses = new Map<string, Pause>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  begin(channelId: string, userId: string, message: string, ms: number): void {
    const oldest = this.#pauses.keys().next()
    if (this.#pauses.size >= REMEMBERED && !oldest.done) this.#pauses.delete(oldest.value)
    const nowMs = this.#now()
    const repeatedUntilMs = nowMs + Math.min(ms, REPEATED_MS)
    this.#pauses.set(`${channelId} ${userId}`, { message, untilMs: nowMs + ms, repeatedUntilMs })
  }

  /** Null when there is nothing to wait for, as far as is remembered. */
  current(channelId: string, userId: string): { message: string; remainingMs: number } | null {
    const key = `${channelId} ${userId}`
    const pause = this.#pauses.get(key)
    if (pause === undefined) return null
    if (this.#now() >= pause.repeatedUntilMs) {
      this.#pauses.delete(key)
      return null
    }
    return { message: pause.message, remainingMs: Math.ceil(pause.untilMs - this.#now()) }
  }
}
