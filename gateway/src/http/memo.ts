export interface MemoOptions<T> {
  /** How long an answer that is found now is kept, in ms. */
  keepMs: () => number
  /** How many answers are kept; the oldest go first. */
  max: number
  /** How much all kept answers may measure together, in the unit of `sizeOf`; the oldest go first. */
  maxSize?: number
  sizeOf?: (answer: T) => number
  /** Wall clock, epoch ms. */
  now: () => number
}

interface Kept<T> {
  untilMs: number
  answer: Promise<T | undefined>
  /** What the promise holds, once it does. */
  found: T | undefined
  size: number
}

/** Answers that cost something, kept for a while; who asks while one is being found waits for the same. */
export class Memo<T> {
  readonly #options: MemoOptions<T>
  readonly #kept = new Map<string, Kept<T>>()
  #size = 0

  constructor(options: MemoOptions<T>) {
    this.#options = options
  }

  /** What `find` answers, or has answered; it must not throw. `undefined` is an answer too. */
  of(key: string, find: () => Promise<T | undefined>): Promise<T | undefined> {
    const { keepMs, max, now } = this.#options
    const known = this.#kept.get(key)
    if (known !== undefined && known.untilMs > now()) return known.answer
    this.forget(key)
    if (this.#kept.size >= max) this.#forgetOldest()
    const kept: Kept<T> = { untilMs: now() + keepMs(), answer: find(), found: undefined, size: 0 }
    void kept.answer.then((found) => {
      kept.found = found
      if (found !== undefined && this.#kept.get(key) === kept) this.#measure(kept, found)
    })
    this.#kept.set(key, kept)
    return kept.answer
  }

  /** Whether `of` would answer from what is kept, or wait for what is being found. */
  has(key: string): boolean {
    return (this.#kept.get(key)?.untilMs ?? 0) > this.#options.now()
  }

  /** The answer, if nobody has to wait for it. */
  atHand(key: string): T | undefined {
    const known = this.#kept.get(key)
    return known !== undefined && known.untilMs > this.#options.now() ? known.found : undefined
  }

  /** Keeps nothing under this key; who waits for it gets it all the same. */
  forget(key: string): void {
    this.#size -= this.#kept.get(key)?.size ?? 0
    this.#kept.delete(key)
  }

  /** Keeps nothing. */
  clear(): void {
    this.#kept.clear()
    this.#size = 0
  }

  #measure(kept: Kept<T>, found: T): void {
    const { sizeOf, maxSize } = this.#options
    if (sizeOf === undefined || maxSize === undefined) return
    kept.size = sizeOf(found)
    this.#size += kept.size
    while (this.#size > maxSize && this.#kept.size > 0) this.#forgetOldest()
  }

  #forgetOldest(): void {
    const oldest = this.#kept.keys().next()
    if (!oldest.done) this.forget(oldest.value)
  }
}
