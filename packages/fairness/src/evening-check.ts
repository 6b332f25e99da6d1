import { breakOfLoads } from './load-link.ts'
import type { Currency } from './ranking.ts'
import type { Receipt } from './receipt.ts'
import { type Recomputed, recompute } from './recompute.ts'

/** A request that was on the air, as a station lists it. */
export interface AiredPlay {
  requestId: string
  /** Epoch ms. */
  startedAtMs: number
  /** Null if staff had pinned it: a person decided. */
  currency: Currency | null
  /** What the list says of the receipt; null if there is none. */
  digest: string | null
  /** The receipt as it was read; null if there is none. */
  receipt: unknown
}

/** What contradicts a play: its receipt (see `recompute`), what the list says of it, or an earlier play. */
type PlayFault = Extract<Recomputed, { isCorrect: false }>['fault'] | 'missing' | 'list' | 'aired' | 'chain'

/**
 * `verified`: the receipt is correct; `isLinked`: its loads follow from those of the decision before. `inconsistent`: the
 * receipt is correct, and says that it was decided with other loads, so its loads cannot be compared.
 */
export type PlayResult =
  | { result: 'verified'; receipt: Receipt; isLinked: boolean }
  | { result: 'inconsistent'; receipt: Receipt }
  | { result: 'pinned' }
  | { result: 'wrong'; fault: PlayFault; reason: string }

/** Decides all requests of an evening again, one after the other, and compares each with those before. */
export class EveningCheck {
  readonly #aired = new Map<string, number>()
  /** The last decision of each currency, unless the loads that it left are not known. */
  readonly #last = new Map<Currency, Receipt>()
  #lastStartMs = Number.NEGATIVE_INFINITY
  /** The largest load with which an account was served by turns. It never falls. */
  #baseMs = 0

  /** The result of the next play. Plays must be given in the order of their starts, without a gap. */
  check(play: AiredPlay): PlayResult {
    const result = this.#resultOf(play)
    this.#aired.set(play.requestId, Math.min(play.startedAtMs, this.#aired.get(play.requestId) ?? Infinity))
    this.#lastStartMs = Math.max(play.startedAtMs, this.#lastStartMs)
    const { currency } = play
    if (result.result === 'pinned' || currency === null) return result
    if (result.result === 'verified') {
      this.#last.set(currency, result.receipt)
      if (currency === 'turn') this.#baseMs = Math.max(this.#baseMs, servedLoadOf(result.receipt))
    } else this.#last.delete(currency)
    return result
  }

  #resultOf(play: AiredPlay): PlayResult {
    const unlisted = this.#faultOfList(play)
    if (unlisted !== undefined) return unlisted
    if (play.currency === null) return { result: 'pinned' }
    const decided = recompute(play.receipt)
    if (!decided.isCorrect) return wrong(decided.fault, decided.reason)
    const { receipt } = decided
    const contradiction = contradictionOf(play, receipt) ?? this.#repeatIn(receipt)
    if (contradiction !== undefined) return contradiction
    if (!receipt.isConsistent) return { result: 'inconsistent', receipt }
    const before = this.#last.get(receipt.currency)
    const broken = before && breakOfLoads(before, receipt, this.#baseMs)
    if (broken !== undefined) return wrong('chain', broken)
    return { result: 'verified', receipt, isLinked: before !== undefined }
  }

  #faultOfList({ requestId, startedAtMs, currency, digest, receipt }: AiredPlay): PlayResult | undefined {
    if (this.#aired.has(requestId)) return wrong('aired', 'The request is listed twice.')
    if (startedAtMs <= this.#lastStartMs) return wrong('list', 'It does not start after the one before.')
    const hasReceipt = digest !== null && receipt !== null
    if (currency !== null && !hasReceipt) return wrong('missing', 'There is no receipt.')
    if (currency === null && (digest !== null || receipt !== null))
      return wrong('list', 'It was pinned by staff, but has a receipt.')
    return undefined
  }

  /** A request that was on the air when this one was decided cannot have waited then. */
  #repeatIn({ requests, decidedAt }: Receipt): PlayResult | undefined {
    const decidedAtMs = Date.parse(decidedAt)
    const repeated = requests.find(({ id }) => (this.#aired.get(id) ?? Infinity) < decidedAtMs)
    return repeated && wrong('aired', `${repeated.id} waits in the receipt, but had been aired.`)
  }
}

const wrong = (fault: PlayFault, reason: string): PlayResult => ({ result: 'wrong', fault, reason })

function contradictionOf(play: AiredPlay, receipt: Receipt): PlayResult | undefined {
  if (receipt.winner !== play.requestId)
    return wrong('list', `The receipt is that of ${receipt.winner}, but ${play.requestId} was aired.`)
  if (receipt.currency !== play.currency)
    return wrong(
      'list',
      `It is listed as decided by ${play.currency}, but was decided by ${receipt.currency}.`,
    )
  if (receipt.digest !== play.digest)
    return wrong('list', `The digest is listed as ${play.digest}, but is ${receipt.digest}.`)
  return undefined
}

/** The load of the winner's account before a decision by turns. */
const servedLoadOf = ({ ballots, loadsBefore, winner }: Receipt): number =>
  loadsBefore[ballots.findIndex(({ approved }) => approved.includes(winner))] ?? 0
