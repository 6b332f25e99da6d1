/** Requests and their answers; the final checks derive from it what must be true. */
export class Ledger {
  /** Requests by what was asked and the answer's status; 0 for none. */
  readonly answers = new Map<string, number>()
  /** Answers that no outage and no race explains. */
  readonly faults: string[] = []
  readonly #asked = new Map<string, number>()
  readonly #done = new Map<string, number>()

  note(what: string, status: number, text: string): void {
    const key = `${what} ${status}`
    this.answers.set(key, (this.answers.get(key) ?? 0) + 1)
    const isFault = status === 400 || status === 401 || (status >= 500 && status !== 503)
    if (isFault) this.faults.push(`${key}: ${text.slice(0, 300)}`)
  }

  /** A change by an admin with its action's name in the audit log; `done` once it was acknowledged. */
  noteChange(action: string, done: boolean): void {
    this.#asked.set(action, (this.#asked.get(action) ?? 0) + 1)
    if (done) this.#done.set(action, (this.#done.get(action) ?? 0) + 1)
  }

  /** By action, how many entries of the audit log there must be, and may be. */
  changes(): { action: string; acknowledged: number; asked: number }[] {
    return [...this.#asked].map(([action, asked]) => ({
      action,
      asked,
      acknowledged: this.#done.get(action) ?? 0,
    }))
  }

  /** How many requests there were in all, and how many were answered well. */
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
