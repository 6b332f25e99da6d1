import { hmac } from '@noble/hashes/hmac.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js'
import { type Currency, loadsAfter, rank } from './ranking.ts'
import { compareIds, type WaitingRequest } from './waiting-request.ts'
import type { LoadedBallot } from './water-level.ts'

/** A waiting request in a receipt. Times are needed for ties, durations for turns. */
interface ReceiptRequest {
  id: string
  requestedAtMs: number
  durationMs: number
}

/** A request that was ranked before the winner, and the rule of the station that forbade it at that time. */
interface PassedOver {
  request: string
  rule: string
}

/** Everything that a decision depends on, and its result: why a requested video is on the air. */
export interface Receipt {
  currency: Currency
  /** RFC 3339, UTC. */
  decidedAt: string
  /** False if the loads before are not those that earlier airings have left, such as after a decision that was undone. */
  isConsistent: boolean
  /** All requests that waited, by their ids. */
  requests: ReceiptRequest[]
  /** By pseudonym. `vote`: voters; `turn`: accounts with their requests. Pseudonyms of two receipts have nothing in common. */
  ballots: { voter: string; approved: string[] }[]
  /** In the order of the ballots. `vote`: in ten-billionths of a slot, 0 is an equal share; `turn`: in ms. */
  loadsBefore: number[]
  loadsAfter: number[]
  passedOver: PassedOver[]
  winner: string
  /** All requests that could have been aired, the best one first. */
  order: string[]
  /** SHA-256 of all other fields (see `digestOf`), in hex. */
  digest: string
}

/** A ballot with the account that the pseudonym replaces. */
interface NamedBallot extends LoadedBallot {
  account: string
}

export interface Decision {
  currency: Currency
  /** Epoch ms. */
  decidedAtMs: number
  /** As in {@link Receipt}. */
  isConsistent: boolean
  ballots: readonly NamedBallot[]
  requests: readonly WaitingRequest[]
  passedOver: readonly PassedOver[]
  winner: WaitingRequest
}

/**
 * The receipt of a decision. `key` is secret, at least 16 random bytes, and of this receipt alone: with one key for several receipts,
 * a voter could be followed from one to the next.
 */
export function receiptOf(decision: Decision, key: Uint8Array): Receipt {
  const { currency, decidedAtMs, isConsistent, requests, passedOver, winner } = decision
  const pseudonym = pseudonyms(key)
  const ballots = decision.ballots
    .map(({ account, load, approved }) => ({ voter: pseudonym(account), load, approved: [...approved] }))
    .sort((a, b) => compareIds(a.voter, b.voter))
  const content: Omit<Receipt, 'digest'> = {
    currency,
    decidedAt: new Date(decidedAtMs).toISOString(),
    isConsistent,
    requests: requests
      .map(({ id, requestedAtMs, durationMs }) => ({ id, requestedAtMs, durationMs }))
      .sort((a, b) => compareIds(a.id, b.id)),
    ballots: ballots.map(({ voter, approved }) => ({ voter, approved: approved.toSorted(compareIds) })),
    loadsBefore: ballots.map(({ load }) => load),
    loadsAfter: loadsAfter(currency, ballots, winner),
    passedOver: passedOver.map(({ request, rule }) => ({ request, rule })),
    winner: winner.id,
    order: rank(currency, ballots, requests),
  }
  return { ...content, digest: digestOf(content) }
}

/** HMAC-SHA-256 of an account's id, shortened to 128 bits. The key is prepared once for all accounts. */
function pseudonyms(key: Uint8Array): (account: string) => string {
  const keyed = hmac.create(sha256, key)
  return (account) => bytesToHex(keyed.clone().update(utf8ToBytes(account)).digest()).slice(0, 32)
}

/** SHA-256 of a receipt's content without the digest, as canonical JSON, in hex. */
export const digestOf = (content: Omit<Receipt, 'digest'> & { digest?: string }): string =>
  bytesToHex(sha256(utf8ToBytes(canonicalJson({ ...content, digest: undefined }))))

/**
 * JSON with one form for each value: keys in the order of their UTF-16 code units, no spaces, without undefined members.
 * A subset of RFC 8785, since receipts contain only integers, texts, lists and objects.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => compareIds(a, b))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`).join(',')}}`
}
