/**
 * Divides a turn of the event loop between sites (IPv4 address or IPv6 /48): in each turn, at most `perTurn` calls begin for
 * a site; more wait for the next turns, in their order. A response passes five turns and more, each of which would take
 * as long as all requests that one site has sent at once.
 */
export class TurnShare {
  readonly #perTurn: number
  /** Calls begun in this turn, by site. */
  readonly #begun = new Map<string, number>()
  readonly #waiting = new Map<string, (() => void)[]>()

  constructor(perTurn: number) {
    this.#perTurn = perTurn
  }

  /** Calls `begin` in this turn or, when the site has had its share, in a later one. */
  take(site: string, begin: () => void): void {
    const waiting = this.#waiting.get(site)
    if (waiting !== undefined) waiting.push(begin)
    else if (!this.#count(site)) this.#waiting.set(site, [begin])
    else begin()
  }

  /** False when the site has had its share of this turn. */
  #count(site: string): boolean {
    if (this.#begun.size === 0) setImmediate(() => this.#nextTurn())
    const begun = this.#begun.get(site) ?? 0
    if (begun >= this.#perTurn) return false
    this.#begun.set(site, begun + 1)
    return true
  }

  #nextTurn(): void {
    this.#begun.clear()
    for (const [site, waiting] of [...this.#waiting]) {
      for (const begin of waiting.splice(0, this.#perTurn)) {
        this.#count(site)
        begin()
      }
      if (waiting.length === 0) this.#waiting.delete(site)
    }
  }
}
