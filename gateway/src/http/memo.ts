interface MemoOptions<T> {
  /** Time for which a result loaded now is kept, in ms. */
  ttlMs: () => number
  /** Largest number of entries. The oldest is evicted first. */
  maxEntries: number
  /** Largest total size of all results, in the unit of `sizeOf`. The oldest is evicted first. */
  maxSize?: number
  sizeOf?: (result: T) => number
  /** Wall clock, epoch ms. */
  now: () => number
}

interface Entry<T> {
  expiresAtMs: number
  promise: Promise<T | undefined>
  /** The promise's value once it is resolved. */
  result: T | undefined
  size: number
}

/**
 * A bounded cache of asynchronous results with a time to live. Concurrent requests for a key share one load. Not
 * `lru-cache`: here the time to live counts from the start of a load, and `has` includes running loads.
 */
export class Memo<T> {
  readonly #options: MemoOptions<T>
  readonly #entries = new Map<string, Entry<T>>()
  #size = 0

  constructor(options: MemoOptions<T>) {
    this.#options = options
  }

  /** The cached result, or that of `load`. `load` must not throw. `undefined` is cached like any result. */
  get(key: string, load: () => Promise<T | undefined>): Promise<T | undefined> {
    const { ttlMs, maxEntries, now } = this.#options
    const known = this.#entries.get(key)
    if (known !== undefined && known.expiresAtMs > now()) return known.promise
    this.delete(key)
    if (this.#entries.size >= maxEntries) this.#evictOldest()
    const entry: Entry<T> = { expiresAtMs: now() + ttlMs(), promise: load(), result: undefined, size: 0 }
    void entry.promise.then((result) => {
      entry.result = result
      if (result !== undefined && this.#entries.get(key) === entry) this.#addSize(entry, result)
    })
    this.#entries.set(key, entry)
    return entry.promise
  }

  /** Whether `get` would not call `load`: the result is cached or being loaded. */
  has(key: string): boolean {
    return (this.#entries.get(key)?.expiresAtMs ?? 0) > this.#options.now()
  }

  /** The result if it is cached; undefined while it is being loaded. */
  peek(key: string): T | undefined {
    const known = this.#entries.get(key)
    return known !== undefined && known.expiresAtMs > this.#options.now() ? known.result : undefined
  }

  /** Deletes an entry. Requests that wait for its load still receive the result. */
  delete(key: string): void {
    this.#size -= this.#entries.get(key)?.size ?? 0
    this.#entries.delete(key)
  }

  /** Deletes all entries. */
  clear(): void {
    this.#entries.clear()
    this.#size = 0
  }

  #addSize(entry: Entry<T>, result: T): void {
    const { sizeOf, maxSize } = this.#options
    if (sizeOf === undefined || maxSize === undefined) return
    entry.size = sizeOf(result)
    this.#size += entry.size
    while (this.#size > maxSize && this.#entries.size > 0) this.#evictOldest()
  }

  #evictOldest(): void {
    const oldest = this.#entries.keys().next()
    if (!oldest.done) this.delete(oldest.value)
  }
}
