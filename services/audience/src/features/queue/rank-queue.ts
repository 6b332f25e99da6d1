import type { RequestQueue } from '@looptide/contracts/events/audience'
import { expectedOrder } from '@looptide/fairness/expected-order'
import { rank } from '@looptide/fairness/ranking'
import { enterTurns, NO_TURNS, turnsOf } from '@looptide/fairness/turns'
import { type CastBallot, countBallots } from '@looptide/fairness/votes'
import type { LoadedBallot } from '@looptide/fairness/water-level'
import { type QueuedRow, UNRANKED } from './queue-repository.ts'

/** Requests in the order of each currency that the scheduler receives: more than it can plan in two days. */
export const MAX_QUEUED = 1000
/** Decisions in advance that the order shows. The rest is in the order of the one after them: each costs some ms. */
const DECISIONS_IN_ADVANCE = 10

/** A queue, and the places of its requests that differ from the stored ones. */
export interface RankedQueue {
  queue: RequestQueue
  moved: { id: string; rank: number }[]
}

/**
 * The queue of a channel: its requests in the order in which they would be aired by turns, which is what slots for requests
 * use. Pinned ones come first. No request has been charged yet, so all loads are 0.
 */
export function rankQueue(
  requests: readonly QueuedRow[],
  cast: readonly CastBallot[],
  nowMs: number,
): RankedQueue {
  const turns = turnsOf(enterTurns(NO_TURNS, requests, nowMs), requests)
  const votes = countBallots([], cast)
  const ranked = requests.filter(({ isPinned }) => !isPinned)
  const pinned = requests.filter(({ isPinned }) => isPinned).map(({ id }) => id)
  const byTurns = [...pinned, ...expectedOrder('turn', turns, ranked, DECISIONS_IN_ADVANCE)]
  const listed = byTurns.slice(0, MAX_QUEUED)
  const ids = [...new Set([...listed, ...rank('vote', votes, ranked).slice(0, MAX_QUEUED)])]
  const places = new Map(listed.map((id, index) => [id, index]))
  const moved = requests
    .map(({ id, rank: stored }) => ({ id, stored, rank: places.get(id) ?? UNRANKED }))
    .filter(({ stored, rank: place }) => place !== stored)
    .map(({ id, rank: place }) => ({ id, rank: place }))
  return { queue: toQueue(ids, requests, turns, votes), moved }
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
