import { ACCOUNTS_PER_NETWORK, withinNetworkLimit } from './network-limit.ts'
import { loadsAfter, withoutMean } from './ranking.ts'
import { compareIds, type WaitingRequest } from './waiting-request.ts'
import type { LoadedBallot } from './water-level.ts'

/** A vote of an account that may vote, for a request that waits. A second one of an account for a request is ignored. */
export interface Vote {
  account: string
  /** An opaque key of the account's network. */
  network: string
  requestId: string
  /** Epoch ms. */
  votedAtMs: number
}

/** What group choice remembers of a voter between two slots: a load (see `withoutMean`), negative if a share is owed. */
export interface VoterLoad {
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
 * The ballots of a decision, in the order of the voters' ids.
 *
 * Who has no vote any more gives up what is owed to them: it is shared among the others. Who is in debt counts until the
 * debt is worked off. A voter who comes has load 0, the mean. So nobody gains by waiting, by leaving or by returning.
 */
export function countBallots(
  state: VoteState,
  votes: readonly Vote[],
  perNetwork: number = ACCOUNTS_PER_NETWORK,
): Ballot[] {
  const known = new Map(state.map((one) => [one.account, one]))
  const voting = Map.groupBy(votes, ({ account }) => account)
  const debtors = state.filter(({ load, account }) => load > 0 && !voting.has(account))
  const counted = withinNetworkLimit(
    [
      ...debtors.map(({ account, network }) => ({ account, network, sinceMs: 0, isInDebt: true })),
      ...[...voting].map(([account, own]) => ({
        account,
        network: networkOf(own),
        sinceMs: Math.min(...own.map(({ votedAtMs }) => votedAtMs)),
        isInDebt: (known.get(account)?.load ?? 0) > 0,
      })),
    ],
    perNetwork,
  )
  const staying = state.filter(({ account }) => counted.has(account))
  const loads = withoutMean(staying.map(({ load }) => load))
  const loadOf = new Map(staying.map(({ account }, index) => [account, loads[index] ?? 0]))
  const ballots = [...voting].flatMap(([account, own]): Ballot[] =>
    counted.has(account)
      ? [{ account, network: networkOf(own), load: loadOf.get(account) ?? 0, approved: approvedBy(own) }]
      : [],
  )
  const owing = debtors.flatMap(({ account, network }): Ballot[] => {
    const load = loadOf.get(account) ?? 0
    return load > 0 ? [{ account, network, load, approved: [] }] : []
  })
  return [...ballots, ...owing].sort((a, b) => compareIds(a.account, b.account))
}

/** The network of the newest vote. */
const networkOf = (votes: readonly Vote[]): string =>
  votes.reduce((newest, vote) => (vote.votedAtMs > newest.votedAtMs ? vote : newest)).network

const approvedBy = (votes: readonly Vote[]): string[] =>
  [...new Set(votes.map(({ requestId }) => requestId))].sort(compareIds)

/** The state after `winner` has been aired. */
export function chargeVotes(ballots: readonly Ballot[], winner: WaitingRequest): VoteState {
  const loads = loadsAfter('vote', ballots, winner)
  return ballots
    .map(({ account, network }, index) => ({ account, network, load: loads[index] ?? 0 }))
    .filter(({ load }, index) => load > 0 || ballots[index]?.approved.length !== 0)
}
