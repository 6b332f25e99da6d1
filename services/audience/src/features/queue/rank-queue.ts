import type { RequestQueue } from '@looptide/contracts/events/audience'
import { expectedOrder } from '@looptide/fairness/expected-order'
import { rank } from '@looptide/fairness/ranking'
import { enterTurns, turnsOf } from '@looptide/fairness/turns'
import { type CastBallot, countBallots } from '@looptide/fairness/votes'
import type { LoadedBallot } from '@looptide/fairness/water-level'
import type { Loads } from '../decisions/charge.ts'
import type { QueueBody } from '../decisions/queue-body.ts'
import { type QueuedRow, UNRANKED } from './queue-repository.ts'

/** Requests in the order of each currency that the scheduler receives: more than it can plan in two days. */
export const MAX_QUEUED = 1000
/** Decisions in advance that the order shows. The rest is in the order of the one after them: each costs some ms. */
const DECISIONS_IN_ADVANCE = 10

/** A queue, its contents with accounts, and the places of requests that differ from the stored ones. */
interface RankedQueue {
  queue: RequestQueue
  body: QueueBody
  moved: { id: string; rank: number }[]
}

/**
 * What a queue is made of: what waits without the decided requests, those of it whose video or artist staff have excluded
 * since, the ballots without these, and the loads after the decided ones have been charged.
 */
interface QueueInput {
  requests: readonly QueuedRow[]
  excluded: ReadonlySet<string>
  cast: readonly CastBallot[]
  loads: Loads
  nowMs: number
}

/**
 * The queue of a channel: its requests in the order in which they would be aired by turns, which is what slots for requests
 * use. Pinned ones come first. Excluded ones are not in it and have no place.
 */
export function rankQueue({ requests: waiting, excluded, cast, loads, nowMs }: QueueInput): RankedQueue {
  const requests = waiting.filter(({ id }) => !excluded.has(id))
  const state = enterTurns(loads.turns, requests, nowMs)
  const turns = turnsOf(state, requests)
  const votes = countBallots(loads.votes, cast)
  const ranked = requests.filter(({ isPinned }) => !isPinned)
  const pinned = requests.filter(({ isPinned }) => isPinned).map(({ id }) => id)
  const byTurns = [...pinned, ...expectedOrder('turn', turns, ranked, DECISIONS_IN_ADVANCE)]
  const listed = byTurns.slice(0, MAX_QUEUED)
  const ids = [...new Set([...listed, ...rank('vote', votes, ranked).slice(0, MAX_QUEUED)])]
  const body: QueueBody = {
    nowMs,
    requests: requests.map(({ id, account, network, durationMs, requestedAtMs, isPinned }) => ({
      ...{ id, account, network, durationMs, requestedAtMs, isPinned },
    })),
    turns: state,
    votes,
  }
  return { queue: toQueue(ids, requests, turns, votes), body, moved: movedFrom(waiting, listed) }
}

function movedFrom(requests: readonly QueuedRow[], listed: readonly string[]): RankedQueue['moved'] {
  const places = new Map(listed.map((id, index) => [id, index]))
  return requests
    .map(({ id, rank: stored }) => ({ id, stored, rank: places.get(id) ?? UNRANKED }))
    .filter(({ stored, rank: place }) => place !== stored)
    .map(({ id, rank: place }) => ({ id, rank: place }))
}

function toQueue(
  ids: readonly string[],
  requests: readonly QueuedRow[],
  turns: readonly LoadedBallot[],
  votes: readonly LoadedBallot[],
): RequestQueue {
  const byId = new Map(requests.map((request) => [request.id, request]))
  const indexes = new Map(ids.map((id, index) => [id, index]))
  const anonymous = ({ load, approved }: LoadedBallot) => ({
    load,
    approved: approved.flatMap((id) => indexes.get(id) ?? []),
  })
  return {
    requests: ids.flatMap((id) => {
      const request = byId.get(id)
      if (request === undefined) return []
      const { videoId, durationMs, requestedAtMs, isPinned } = request
      return [{ id, videoId, durationMs, requestedAtMs, isPinned }]
    }),
    turns: turns.map(anonymous).filter(({ approved }) => approved.length > 0),
    votes: votes.map(anonymous),
  }
}
