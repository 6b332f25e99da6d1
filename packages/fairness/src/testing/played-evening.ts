import { type Random, randomIndex, seededRandom } from '@looptide/playhead/random'
import type { AiredPlay } from '../evening-check.ts'
import { type Currency, rank } from '../ranking.ts'
import { receiptOf } from '../receipt.ts'
import { chargeTurn, enterTurns, NO_TURNS, type TurnRequest, type TurnState, turnsOf } from '../turns.ts'
import { type CastBallot, chargeVotes, countBallots, type VoteState } from '../votes.ts'

const SLOT_MS = 240_000
const BEGIN_MS = Date.UTC(2026, 10, 28, 20)
const ACCOUNTS = 7

/**
 * The plays of an evening with their receipts, as a station publishes them: viewers request, vote, take votes back, leave and
 * return; slots of both currencies; rules that forbid requests; requests that staff have pinned.
 */
export function playedEvening(seed: number, slots: number): AiredPlay[] {
  const evening = new RandomEvening(seed)
  return Array.from({ length: slots }, (_, slot) => evening.play(BEGIN_MS + slot * SLOT_MS)).flatMap(
    (play) => play ?? [],
  )
}

class RandomEvening {
  readonly #random: Random
  readonly #voters = new Map<string, Set<string>>()
  #requests: TurnRequest[] = []
  #votes: VoteState = []
  #turns: TurnState = NO_TURNS
  #made = 0

  constructor(seed: number) {
    this.#random = seededRandom(seed)
  }

  /** Viewers do something, then a slot is decided. Undefined if no request may be aired. */
  play(startedAtMs: number): AiredPlay | undefined {
    while (this.#requests.length < 3 || (this.#requests.length < 9 && this.#chance(0.5))) this.#ask()
    for (let step = this.#pick(6); step > 0; step -= 1) this.#changeVotes()
    if (this.#chance(0.2)) this.#remove(this.#requests[this.#pick(this.#requests.length)]?.id)
    return this.#chance(0.1) ? this.#playPinned(startedAtMs) : this.#decide(startedAtMs)
  }

  #chance(probability: number): boolean {
    return this.#random() < probability
  }

  #pick(limit: number): number {
    return randomIndex(this.#random, limit)
  }

  #ask(): void {
    this.#made += 1
    const account = `account ${this.#pick(ACCOUNTS)}`
    const id = `request-${String(this.#made).padStart(3, '0')}`
    const durationMs = 120_000 + this.#pick(5) * 60_000
    this.#requests.push({
      ...{ id, account, network: account, durationMs },
      requestedAtMs: BEGIN_MS - 1000 + this.#made,
    })
    this.#voters.set(id, new Set())
  }

  #changeVotes(): void {
    const voter = `account ${this.#pick(ACCOUNTS)}`
    const voters = this.#voters.get(this.#requests[this.#pick(this.#requests.length)]?.id ?? '')
    if (this.#chance(0.7)) voters?.add(voter)
    else if (this.#chance(0.5)) voters?.delete(voter)
    else for (const one of this.#voters.values()) one.delete(voter)
  }

  #remove(id: string | undefined): void {
    this.#requests = this.#requests.filter((request) => request.id !== id)
    this.#voters.delete(id ?? '')
  }

  #playPinned(startedAtMs: number): AiredPlay | undefined {
    const pinned = this.#requests[this.#pick(this.#requests.length)]
    if (pinned === undefined) return undefined
    this.#remove(pinned.id)
    return { requestId: pinned.id, startedAtMs, currency: null, digest: null, receipt: null }
  }

  #decide(startedAtMs: number): AiredPlay | undefined {
    const currency: Currency = this.#chance(0.6) ? 'vote' : 'turn'
    const requests = this.#requests
    const votes = countBallots(this.#votes, this.#cast())
    const turns = enterTurns(this.#turns, requests, startedAtMs)
    const ballots = currency === 'vote' ? votes : turnsOf(turns, requests)
    const order = rank(currency, ballots, requests)
    const forbidden = Math.max(0, Math.min(this.#pick(3), order.length - 1))
    const winner = requests.find(({ id }) => id === order[forbidden])
    if (winner === undefined) return undefined
    const passedOver = order.slice(0, forbidden).map((request) => ({ request, rule: 'artistSeparation' }))
    const decision = { currency, decidedAtMs: startedAtMs - 300_000, isConsistent: true, passedOver }
    const key = new Uint8Array(32).map(() => this.#pick(256))
    const receipt = receiptOf({ ...decision, ballots, requests, winner }, key)
    if (currency === 'vote') this.#votes = chargeVotes(votes, winner)
    else this.#turns = chargeTurn(turns, winner, startedAtMs)
    this.#remove(winner.id)
    return { requestId: winner.id, startedAtMs, currency, digest: receipt.digest, receipt }
  }

  #cast(): CastBallot[] {
    const ballots = new Map<string, string[]>()
    for (const [id, voters] of this.#voters)
      for (const voter of voters) ballots.set(voter, [...(ballots.get(voter) ?? []), id])
    return [...ballots].map(([account, approved]) => ({ account, network: account, sinceMs: 0, approved }))
  }
}
