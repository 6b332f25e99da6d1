import { rank } from '../ranking.ts'
import { type Ballot, type CastBallot, chargeVotes, countBallots, type VoteState } from '../votes.ts'
import type { WaitingRequest } from '../waiting-request.ts'

/** A vote of an account for a request. */
export interface Vote {
  account: string
  network: string
  requestId: string
  /** Epoch ms. */
  votedAtMs: number
}

/** The votes as ballots, as the service stores them. */
export const castBallots = (votes: readonly Vote[]): CastBallot[] =>
  [...Map.groupBy(votes, ({ account }) => account)].map(([account, own]) => ({
    account,
    network: own[0]?.network ?? '',
    sinceMs: Math.min(...own.map(({ votedAtMs }) => votedAtMs)),
    approved: own.map(({ requestId }) => requestId),
  }))

export interface VoteSlot {
  ballots: Ballot[]
  /** Undefined if no request with a vote may be aired: the slot uses its fallback, and nobody pays. */
  winner: WaitingRequest | undefined
  state: VoteState
}

/** Decides one slot as the station does: rank, first request that the rules allow, charge. */
export function playVoteSlot(
  state: VoteState,
  votes: readonly Vote[],
  requests: readonly WaitingRequest[],
  mayAir: (id: string) => boolean = () => true,
): VoteSlot {
  const ballots = countBallots(state, castBallots(votes))
  const winnerId = rank('vote', ballots, requests).find(mayAir)
  const winner = requests.find(({ id }) => id === winnerId)
  return { ballots, winner, state: winner === undefined ? state : chargeVotes(ballots, winner) }
}

/** A request that was made at `order` ms, by an account of its own. */
export const requestOf = (id: string, order = 0, durationMs = 240_000): WaitingRequest => ({
  id,
  account: `requester of ${id}`,
  durationMs,
  requestedAtMs: order,
})

/** A vote from a network of its own. */
export const voteOf = (account: string, requestId: string, votedAtMs = 0): Vote => ({
  account,
  network: `network of ${account}`,
  requestId,
  votedAtMs,
})
