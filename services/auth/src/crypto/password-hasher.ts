import { hash, verify } from '@node-rs/argon2'
import { AuthError } from '../protocol/auth-error.ts'

const MAX_WAITING = 64

type Compare = (stored: string, password: string) => Promise<boolean>

/**
 * argon2id (the library's defaults are the OWASP ones: 19 MiB, two passes). At most `parallel` at once:
 * hashing runs on the thread pool that files and name look-ups need as well, and takes memory.
 */
export class PasswordHasher {
  readonly #parallel: number
  readonly #compare: Compare
  readonly #waiting: (() => void)[] = []
  #running = 0
  readonly #decoy = hash('nobody has this password')

  /** `compare` is the work itself, handed in so that a test can see on what it is done. */
  constructor(parallel = 2, compare: Compare = verify) {
    this.#parallel = parallel
    this.#compare = compare
  }

  hash(password: string): Promise<string> {
    return this.#inTurn(() => hash(password))
  }

  /**
   * Is it the password? Without a stored hash the answer is no, after the same work: the time of an
   * answer must not tell whether an address is known.
   */
  async verify(stored: string | null, password: string): Promise<boolean> {
    const against = stored ?? (await this.#decoy)
    const right = await this.#inTurn(() => this.#compare(against, password))
    return right && stored !== null
  }

  async #inTurn<T>(work: () => Promise<T>): Promise<T> {
    if (this.#running >= this.#parallel) {
      if (this.#waiting.length >= MAX_WAITING) throw AuthError.tooManyRequests()
      await new Promise<void>((resolve) => this.#waiting.push(resolve))
    } else {
      this.#running += 1
    }
    try {
      return await work()
    } finally {
      const next = this.#waiting.shift()
      if (next === undefined) this.#running -= 1
      else next()
    }
  }
}
