/** Results of one kind of request during a fault: failures by kind, and the longest time to a success. */
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

  /** Failures by kind. */
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
const NO_ANSWER = 'no answer'

/** How an attempt ended: with an answer, or without. */
export interface Attempt {
  status: number
  body: unknown
  what: string
}

/** Sends one request and aborts it after `timeoutMs`. Never throws. */
export async function attempt(url: string, init: RequestInit, timeoutMs: number): Promise<Attempt> {
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(timeoutMs) })
    // A truncated response is a failure, whatever its status.
    const text = await response.text()
    const body: unknown = text === '' ? null : parsed(text)
    const code = body !== null && typeof body === 'object' && 'code' in body ? ` ${String(body.code)}` : ''
    return { status: response.status, body, what: `${response.status}${code}` }
  } catch (error) {
    const isLate = error instanceof Error && error.name === 'TimeoutError'
    return { status: 0, body: null, what: isLate ? `${NO_ANSWER} in ${timeoutMs / 1000} s` : LOST }
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

/** Whether the attempt succeeded. */
export const isGood = ({ status }: Attempt): boolean => status >= 200 && status < 300
