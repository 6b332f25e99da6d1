import { type Currency, loadsAfter, rank } from '@looptide/fairness/ranking'
import { type Ballot, type CastBallot, chargeVotes, countBallots } from '@looptide/fairness/votes'
import type { LoadedBallot } from '@looptide/fairness/water-level'
import type { BlockedRequest, DecidedRequest, QueuedRequest, RequestInput } from './plan.ts'

/**
 * Maximum number of requests that are ranked and charged from one queue. Each costs two counts of all ballots, so that a plan
 * of 38 hours with 10,000 voters would keep its transaction for seconds; and votes change long before the later ones.
 */
export const MAX_CHARGED = 100

/**
 * The waiting requests of one plan, which its sources of requests share: a request that one has taken is gone from the other.
 * Each winner is charged in its currency, as audience does when it is aired, so that a guide of several hours has fair turns.
 */
export class RequestPool {
  readonly input: RequestInput
  readonly #waiting: Map<string, QueuedRequest>
  readonly #cast: readonly CastBallot[]
  #decided: readonly DecidedRequest[]
  #turns: readonly LoadedBallot[]
  #votes: readonly Ballot[]
  readonly #blocked = new Map<string, BlockedRequest>()
  readonly #orders = new Map<Currency, readonly QueuedRequest[]>()
  #charged = 0

  constructor(input: RequestInput) {
    this.input = input
    this.#waiting = new Map(input.requests.map((request) => [request.id, request]))
    this.#decided = input.decided
    this.#turns = input.turns
    this.#votes = input.votes.map((ballot, index) => ({ ...ballot, ...accountAt(index) }))
    this.#cast = input.votes.map(({ approved }, index) => ({ approved, sinceMs: 0, ...accountAt(index) }))
    for (const { id, currency } of input.taken) this.take(id, currency)
  }

  has(id: string): boolean {
    return this.#waiting.has(id)
  }

  /** The requests that slots may take. */
  get waiting(): Iterable<QueuedRequest> {
    return this.#isUsedUp ? this.pinned() : this.#waiting.values()
  }

  get #isUsedUp(): boolean {
    return this.#charged >= MAX_CHARGED
  }

  /** Notes the rule that forbids a request at the first slot for which it was considered. */
  noteBlocked(blocked: BlockedRequest): void {
    if (!this.#blocked.has(blocked.id)) this.#blocked.set(blocked.id, blocked)
  }

  /** The requests that a rule has forbidden and that were not taken later. */
  blocked(): BlockedRequest[] {
    return [...this.#blocked.values()].filter(({ id }) => this.#waiting.has(id))
  }

  /** The pinned requests, the first one first: they come before the ranking, because a person has decided. */
  pinned(): readonly QueuedRequest[] {
    return [...this.#waiting.values()].filter(({ isPinned }) => isPinned)
  }

  /** The other requests that have a ballot, the best one first; none after {@link MAX_CHARGED} of the queue. */
  order(currency: Currency): readonly QueuedRequest[] {
    if (this.#isUsedUp) return []
    const known = this.#orders.get(currency)
    if (known !== undefined) return known
    const requests = [...this.#waiting.values()].filter(({ isPinned }) => !isPinned)
    const order = rank(currency, currency === 'vote' ? this.#votes : this.#turns, requests).flatMap(
      (id) => this.#waiting.get(id) ?? [],
    )
    this.#orders.set(currency, order)
    return order
  }

  /** The requests that were decided with an earlier plan. They are charged here only if they wait here too. */
  decided(currency: Currency, startMs: number): readonly DecidedRequest[] {
    return startMs < this.input.decidedUntilMs ? this.#decided.filter((one) => one.currency === currency) : []
  }

  /** Takes a request and charges it, unless it is pinned or nothing is ranked any more. */
  take(id: string, currency: Currency): void {
    const request = this.#waiting.get(id)
    this.leaveOut(id)
    if (request === undefined || request.isPinned || this.#isUsedUp) return
    this.#charged += 1
    if (currency === 'vote') {
      const winner = { ...request, account: '' }
      this.#votes = countBallots(chargeVotes(this.#votes, winner), this.#cast)
    } else {
      const loads = loadsAfter('turn', this.#turns, request)
      this.#turns = this.#turns.map(({ approved }, index) => ({ approved, load: loads[index] ?? 0 }))
    }
  }

  /** Takes a request that does not air, and is not charged. */
  leaveOut(id: string): void {
    this.#decided = this.#decided.filter((one) => one.id !== id)
    if (this.#waiting.delete(id)) this.#orders.clear()
  }
}

/** A ballot has no account here. Its number stands for one, and for a network of its own: audience has applied that limit. */
const accountAt = (index: number) => ({ account: String(index), network: String(index) })
