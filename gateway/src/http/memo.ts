export interface MemoOptions {
  /** How long an answer is kept, in ms. */
  keepMs: number
  /** How many answers are kept; the oldest go first. */
  max: number
  /** Wall clock, epoch ms. */
  now: () => number
}

/** Answers that cost something, kept for a while; who asks while one is being found waits for the same. */
export class Memo<T> {
  readonly #options: MemoOptions
  readonly #kept = new Map<string, { untilMs: number; answer: Promise<T | undefined> }>()

  constructor(options: MemoOptions) {
    this.#options = options
  }

  /** What `find` answers, or has answered; it must not throw. `undefined` is an answer too. */
  of(key: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    const { keepMs, max, now } = this.#options
    const known = this.#kept.get(key)
    if (known !== undefined && known.untilMs > now()) return known.answer
    const answer = find()
    this.#kept.delete(key)
    const oldest = this.#kept.keys().next()
    if (this.#kept.size >= max && !oldest.done) this.#kept.delete(oldest.value)
    this.#kept.set(key, { untilMs: now() + keepMs, answer })
    return answer
  }

  /** Whether `of` would answer from what is kept, or wait for what is being found. */
  has(key: string): boolean {
    return (this.#kept.get(key)?.untilMs ?? 0) > this.#options.now()
  }

  /** Keeps nothing under this key; who waits for it gets it all the same. */
  forget(key: string): void {
    this.#kept.delete(key)
  }

  /** Keeps nothing. */
  clear(): void {
    this.#kept.clear()
  }
}
