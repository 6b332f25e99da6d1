import type { Currency } from '@looptide/fairness/ranking'
import { chargeTurn, enterTurns, type TurnState, turnsOf } from '@looptide/fairness/turns'
import { type Ballot, chargeVotes, countBallots, type VoteState } from '@looptide/fairness/votes'
import type { NamedBallot, NamedRequest, QueueBody } from './queue-body.ts'

/** What both currencies remember of a channel. */
export interface Loads {
  votes: VoteState
  turns: TurnState
}

/** The accounts that have loads. */
export const accountsOf = ({ votes, turns }: Loads): string[] => [
  ...new Set([...votes, ...turns.accounts].map(({ account }) => account)),
]

/** Loads without those of some accounts. */
export const withoutAccounts = ({ votes, turns }: Loads, gone: ReadonlySet<string>): Loads => ({
  votes: votes.filter(({ account }) => !gone.has(account)),
  turns: { ...turns, accounts: turns.accounts.filter(({ account }) => !gone.has(account)) },
})

/** A request that was decided with a queue. */
export interface Decided {
  requestId: string
  currency: Currency
  /** Epoch ms. */
  startsAtMs: number
}

/** What a decision depends on, without the requests that are pinned: a person decided these. */
export interface Slot {
  requests: NamedRequest[]
  ballots: NamedBallot[]
}

/**
 * The loads after a decision has been charged, with the ballots of its queue but the present loads: so loads are those of
 * what was aired, also if a decision that the queue expected was undone. A pinned request costs nothing.
 */
export function chargeDecision(loads: Loads, body: QueueBody, decided: Decided): Loads {
  const winner = findRanked(body, decided.requestId)
  if (winner === undefined) return loads
  if (decided.currency === 'vote')
    return { ...loads, votes: chargeVotes(votersOf(body, loads.votes), winner) }
  const turns = waitingAgain(body, loads.turns)
  const isWaiting = turns.accounts.some((one) => one.isWaiting && one.account === winner.account)
  return isWaiting ? { ...loads, turns: chargeTurn(turns, winner, decided.startsAtMs) } : loads
}

/**
 * What a decision was taken with: its queue, after the charges of the `earlier` ones that were taken with the same queue. This
 * is what the planner does with one queue: it airs each request once, and nobody comes or leaves in between.
 */
export function slotOf(body: QueueBody, earlier: readonly Decided[], currency: Currency): Slot {
  const [first, ...others] = earlier.filter(
    (one) => one.currency === currency && findRanked(body, one.requestId) !== undefined,
  )
  if (first === undefined) return toSlot(body, earlier, body, currency)
  // The first one is charged as it was counted: to count the same ballots again would round once more.
  const start = chargeCounted(body, first)
  const loads = others.reduce((before, one) => chargeDecision(before, body, one), start)
  return presentSlot(loads, body, earlier, currency)
}

function chargeCounted(body: QueueBody, first: Decided): Loads {
  const winner = findRanked(body, first.requestId)
  if (winner === undefined || first.currency === 'turn')
    return chargeDecision({ votes: [], turns: body.turns }, body, first)
  return { votes: chargeVotes(withNetworks(body.votes), winner), turns: body.turns }
}

/** What a decision would be taken with if the loads were these. */
export const presentSlot = (
  loads: Loads,
  body: QueueBody,
  earlier: readonly Decided[],
  currency: Currency,
): Slot =>
  currency === 'vote'
    ? toSlot(body, earlier, { votes: votersOf(body, loads.votes), turns: body.turns }, currency)
    : toSlot(body, earlier, { votes: body.votes, turns: waitingAgain(body, loads.turns) }, currency)

const findRanked = (body: QueueBody, id: string): NamedRequest | undefined =>
  body.requests.find((request) => request.id === id && !request.isPinned)

function toSlot(
  body: QueueBody,
  earlier: readonly Decided[],
  { votes, turns }: { votes: readonly NamedBallot[]; turns: TurnState },
  currency: Currency,
): Slot {
  const gone = new Set(earlier.map(({ requestId }) => requestId))
  const requests = body.requests.filter(({ id, isPinned }) => !isPinned && !gone.has(id))
  const ids = new Set(requests.map(({ id }) => id))
  const ballots = currency === 'turn' ? turnsOf(turns, requests) : votes
  return {
    requests,
    ballots: ballots.map(({ account, load, approved }) => ({
      account,
      load,
      approved: approved.filter((id) => ids.has(id)),
    })),
  }
}

/** Each account as a network of its own: the limit of networks was applied when the queue was made. */
const withNetworks = <T extends { account: string }>(voters: readonly T[]): (T & { network: string })[] =>
  voters.map((voter) => ({ ...voter, network: voter.account }))

const votersOf = ({ votes }: QueueBody, state: VoteState): Ballot[] =>
  countBallots(
    withNetworks(state),
    votes.map(({ account, approved }) => ({ account, network: account, approved, sinceMs: 0 })),
  )

function waitingAgain({ turns, requests, nowMs }: QueueBody, state: TurnState): TurnState {
  const counted = new Set(turns.accounts.filter(({ isWaiting }) => isWaiting).map(({ account }) => account))
  const asking = withNetworks(requests.filter(({ account }) => counted.has(account)))
  return enterTurns({ ...state, accounts: withNetworks(state.accounts) }, asking, nowMs)
}
