const REMEMBERED = 10_000

/**
 * Who was told to wait, and until when: a flood is refused from memory and costs no transaction.
 * It only ever repeats what the database said; the limit itself stands there.
 */
export class Pauses {
  readonly #now: () => number
  readonly #until = new Map<string, number>()

  constructor(now: () => number = Date.now) {
    this.#now = now
  }

  begin(channelId: string, userId: string, ms: number): void {
    const oldest = this.#until.keys().next()
    if (this.#until.size >= REMEMBERED && !oldest.done) this.#until.delete(oldest.value)
    this.#until.set(`${channelId} ${userId}`, this.#now() + ms)
  }

  /** 0 when there is nothing to wait for. */
  remainingMs(channelId: string, userId: string): number {
    const key = `${channelId} ${userId}`
    const until = this.#until.get(key)
    if (until === undefined) return 0
    const left = Math.ceil(until - this.#now())
    if (left <= 0) this.#until.delete(key)
    return Math.max(0, left)
  }
}
