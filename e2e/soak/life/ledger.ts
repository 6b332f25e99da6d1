/** Requests and their responses. The final checks derive the expected state from it. */
export class Ledger {
  /** Number of requests by method, path and status; status 0 without a response. */
  readonly answers = new Map<string, number>()
  /** Responses that neither an outage nor a race explains. */
  readonly faults: string[] = []
  readonly #asked = new Map<string, number>()
  readonly #done = new Map<string, number>()

  note(what: string, status: number, text: string): void {
    const key = `${what} ${status}`
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1)
    const isFault = status === 400 || status === 401 || (status >= 500 && status !== 503)
    if (isFault) this.faults.push(`${key}: ${text.slice(0, 300)}`)
  }

  /** Records an admin's change under its audit action; `done` once it was acknowledged. */
  noteChange(action: string, done: boolean): void {
    this.#asked.set(action, (this.#asked.get(action) ?? 0) + 1)
    if (done) this.#done.set(action, (this.#done.get(action) ?? 0) + 1)
  }

  /** Minimum and maximum number of audit entries per action. */
  changes(): { action: string; acknowledged: number; asked: number }[] {
    return [...this.#asked].map(([action, asked]) => ({
      action,
      asked,
      acknowledged: this.#done.get(action) ?? 0,
    }))
  }

  /** Number of all requests, and of the successful ones. */
  totals(): { requests: number; succeeded: number; refused: number; unanswered: number } {
    const totals = { requests: 0, succeeded: 0, refused: 0, unanswered: 0 }
    for (const [key, count] of this.answers) {
      const status = Number(key.split(' ').at(-1))
      totals.requests += count
      if (status >= 200 && status < 400) totals.succeeded += count
      else if (status === 0 || status === 503) totals.unanswered += count
      else totals.refused += count
    }
    return totals
  }
}
