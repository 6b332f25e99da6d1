/** How one kind of request fared while something was wrong: what came instead of a good answer, and how long one took. */
export class Tally {
  readonly #refusals = new Map<string, number>()
  #longestMs = 0
  #good = 0

  /** Resets all counts. */
  clear(): void {
    this.#refusals.clear()
    this.#longestMs = 0
    this.#good = 0
  }

  /** Counts a success; `ms` is the time since the first attempt. */
  good(tookMs: number): void {
    this.#good += 1
    this.#longestMs = Math.max(this.#longestMs, tookMs)
  }

  bad(what: string): void {
    this.#refusals.set(what, (this.#refusals.get(what) ?? 0) + 1)
  }

  get goodCount(): number {
    return this.#good
  }

  /** What came instead of good answers. */
  get refusals(): string[] {
    return [...this.#refusals.keys()]
  }

  toString(): string {
    const refusals = [...this.#refusals].map(([what, count]) => `${count} × ${what}`)
    return `longest ${(this.#longestMs / 1000).toFixed(1)} s${refusals.length > 0 ? `; ${refusals.join(', ')}` : ''}`
  }
}

/** Result of a request without an answer. */
export const LOST = 'connection lost'
export const NO_ANSWER = 'no answer'

/** How an attempt ended: with an answer, or without. */
export interface Attempt {
  status: number
  body: unknown
  what: string
}

/** One request, given up after `patienceMs`. Never throws. */
export async function attempt(url: string, init: RequestInit, patienceMs: number): Promise<Attempt> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(patienceMs) })
    // An answer that breaks off is none, whatever its status.
    const text = await response.text()
    const body: unknown = text === '' ? null : parsed(text)
    const code = body !== null && typeof body === 'object' && 'code' in body ? ` ${String(body.code)}` : ''
    return { status: response.status, body, what: `${response.status}${code}` }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return { status: 0, body: null, what: isLate ? `${NO_ANSWER} in ${patienceMs / 1000} s` : LOST }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Did it go well? */
export const isGood = ({ status }: Attempt): boolean => status >= 200 && status < 300
