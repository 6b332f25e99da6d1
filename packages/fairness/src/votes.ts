import { ACCOUNTS_PER_NETWORK, withinNetworkLimit } from './network-limit.ts'
import { loadsAfter, withoutMean } from './ranking.ts'
import type { WaitingRequest } from './waiting-request.ts'
import type { LoadedBallot } from './water-level.ts'

/** What an account that may vote approves: all its votes for requests that wait. One for each account. */
export interface CastBallot {
  account: string
  /** An opaque key of the account's network. */
  network: string
  /** Time of the oldest of these votes, epoch ms. */
  sinceMs: number
  /** Ids of requests. One that is listed twice counts once. */
  approved: readonly string[]
}

/** What group choice remembers of a voter between two slots: a load (see `withoutMean`), negative if a share is owed. */
interface VoterLoad {
  account: string
  network: string
  load: number
}

/** The loads of all voters that are not 0 or whose votes are waiting; empty at the beginning. */
export type VoteState = readonly VoterLoad[]

/** A voter who counts in a decision. One who is in debt counts without a vote too, and approves nothing then. */
export interface Ballot extends LoadedBallot {
  account: string
  network: string
}

/**
 * The ballots of a decision.
 *
 * Who has no vote any more gives up what is owed to them: it is shared among the others. Who is in debt counts until the
 * debt is worked off. A voter who comes has load 0, the mean. So nobody gains by waiting, by leaving or by returning.
 */
export function countBallots(
  state: VoteState,
  given: readonly CastBallot[],
  perNetwork: number = ACCOUNTS_PER_NETWORK,
): Ballot[] {
  // A ballot without a vote must not collect claims.
  const cast = given.filter(({ approved }) => approved.length > 0)
  const before = new Map(state.map(({ account, load }) => [account, load]))
  const voting = new Set(cast.map(({ account }) => account))
  const debtors = state.filter(({ load, account }) => load > 0 && !voting.has(account))
  const counted = withinNetworkLimit(
    [
      ...debtors.map(({ account, network }) => ({ account, network, sinceMs: 0, isInDebt: true })),
      ...cast.map(({ account, network, sinceMs }) => ({
        account,
        network,
        sinceMs,
        isInDebt: (before.get(account) ?? 0) > 0,
      })),
    ],
    perNetwork,
  )
  const staying = state.filter(
    ({ account, load }) => counted.has(account) && (load > 0 || voting.has(account)),
  )
  const loads = withoutMean(staying.map(({ load }) => load))
  const loadOf = new Map(staying.map(({ account }, index) => [account, loads[index] ?? 0]))
  const ballots = cast
    .filter(({ account }) => counted.has(account))
    .map(({ account, network, approved }) => ({
      account,
      network,
      load: loadOf.get(account) ?? 0,
      approved: withoutRepeated(approved),
    }))
  const owing = debtors
    .map(({ account, network }) => ({ account, network, load: loadOf.get(account) ?? 0, approved: [] }))
    .filter(({ load }) => load > 0)
  return [...ballots, ...owing]
}

function withoutRepeated(ids: readonly string[]): readonly string[] {
  const unique = new Set(ids)
  return unique.size === ids.length ? ids : [...unique]
}

/** The state after `winner` has been aired. */
export function chargeVotes(ballots: readonly Ballot[], winner: WaitingRequest): VoteState {
  const loads = loadsAfter('vote', ballots, winner)
  return ballots
    .map(({ account, network }, index) => ({ account, network, load: loads[index] ?? 0 }))
    .filter(({ load }, index) => load > 0 || ballots[index]?.approved.length !== 0)
}
