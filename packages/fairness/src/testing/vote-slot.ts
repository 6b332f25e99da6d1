import { rank } from '../ranking.ts'
import { type Ballot, chargeVotes, countBallots, type Vote, type VoteState } from '../votes.ts'
import type { WaitingRequest } from '../waiting-request.ts'

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
  const ballots = countBallots(state, votes)
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
