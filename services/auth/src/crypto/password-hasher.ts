import { opaqueString } from '@looptide/contracts/text'
import { hash, type Options, verify } from '@node-rs/argon2'
import { AccountError } from '../account-error.ts'

const MAX_QUEUED = 64
/** Time in which a full queue is worked off, in ms. */
const FULL_QUEUE_MS = 2000

/** How a password matches: not, as it is hashed today, or unchanged, as it was hashed by earlier releases. */
export type PasswordMatch = 'none' | 'normalised' | 'unchanged'

type Compare = (stored: string, password: string) => Promise<boolean>

/**
 * Hashes passwords, normalised by `opaqueString`, with argon2id (the library's defaults are the OWASP ones: 19 MiB, two
 * passes). At most `parallel` hashes run at once: each takes memory and a thread of the pool that file access and DNS
 * look-ups also use.
 */
export class PasswordHasher {
  readonly #parallel: number
  readonly #compare: Compare
  readonly #queue: (() => void)[] = []
  #running = 0
  readonly #cost: Options
  /** Compared with when there is no stored hash. */
  readonly #dummyHash: Promise<string>

  /**
   * `compare` verifies a password; tests replace it to count the comparisons. `cost` replaces the cost of a hash in tests
   * of something else, most of whose time would be hashing.
   */
  constructor(parallel = 2, compare: Compare = verify, cost: Options = {}) {
    this.#parallel = parallel
    this.#compare = compare
    this.#cost = cost
    this.#dummyHash = hash('nobody has this password', cost)
  }

  hash(password: string): Promise<string> {
    return this.#enqueue(() => hash(opaqueString(password), this.#cost))
  }

  /**
   * Whether the password matches the stored hash. Without a stored hash the result is false after the same work, so that
   * the response time does not reveal whether an account exists. Errors: `too_many_requests` when the queue is full.
   */
  async verify(stored: string | null, password: string): Promise<boolean> {
    return (await this.match(stored, password)) !== 'none'
  }

  /** Like {@link verify}, for a caller that replaces a hash of the `unchanged` password. */
  async match(stored: string | null, password: string): Promise<PasswordMatch> {
    const against = stored ?? (await this.#dummyHash)
    const normalised = opaqueString(password)
    if (await this.#enqueue(() => this.#compare(against, normalised)))
      return stored === null ? 'none' : 'normalised'
    if (normalised === password || !(await this.#enqueue(() => this.#compare(against, password))))
      return 'none'
    return stored === null ? 'none' : 'unchanged'
  }

  async #enqueue<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#parallel) {
      if (this.#queue.length >= MAX_QUEUED) throw AccountError.tooManyRequests(FULL_QUEUE_MS)
      await new Promise<void>((resolve) => this.#queue.push(resolve))
    } else {
      this.#running += 1
    }
    try {
      return await work()
    } finally {
      const next = this.#queue.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}
