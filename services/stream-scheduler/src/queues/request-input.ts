import type { RequestQueue } from '@looptide/contracts/events/audience'
import type { ProgrammeRequest } from '@looptide/contracts/events/stream'
import type { RequestInput } from '@looptide/planner/plan'
import type { Store } from '../db/schema.ts'
import { findQueues, readQueue } from './queue-repository.ts'
import { findRequestPlan, readRequestProgrammes } from './request-plan-repository.ts'

const NOTHING_DECIDED = { decidedUntilMs: 0, freezeMs: 0 }

/**
 * The requests for a plan that begins with the programme `seq`; undefined if no queue is known. It uses the newest queue
 * without requests that programmes before the plan have taken from another queue: that queue contains their decisions.
 * Until there is one, the queue in use stays.
 */
export async function readRequestInput(
  db: Store,
  channelId: string,
  seq: number,
): Promise<RequestInput | undefined> {
  const sequences = await findQueues(db, channelId)
  if (sequences.length === 0) return undefined
  const { decidedUntilMs, freezeMs } = (await findRequestPlan(db, channelId)) ?? NOTHING_DECIDED
  const programmes = await readRequestProgrammes(db, channelId, seq, decidedUntilMs)
  const before = programmes.filter(({ isBefore }) => isBefore).map(({ request }) => request)
  const decided = programmes
    .filter(({ isBefore }) => !isBefore)
    .map(({ request, videoId }) => ({ ...request, videoId }))
  const { sequence, queue } = await chooseQueue(db, channelId, sequences, [...before, ...decided])
  const listed = new Set(queue.requests.map(({ id }) => id))
  const byId = (ballot: RequestQueue['turns'][number]) => ({
    load: ballot.load,
    approved: ballot.approved.flatMap((index) => queue.requests[index]?.id ?? []),
  })
  return {
    sequence,
    requests: queue.requests,
    turns: queue.turns.map(byId),
    votes: queue.votes.map(byId),
    taken: before.filter(({ id }) => listed.has(id)).map(({ id, currency }) => ({ id, currency })),
    decided,
    // An edit of the log may have moved them.
    decidedUntilMs: decidedUntilMs + freezeMs,
    announcedUntilMs: decidedUntilMs,
  }
}

async function chooseQueue(
  db: Store,
  channelId: string,
  sequences: readonly number[],
  taken: readonly ProgrammeRequest[],
): Promise<{ sequence: number; queue: RequestQueue }> {
  const inUse = sequences.at(-1) ?? 0
  for (const sequence of sequences.slice(0, -1)) {
    const others = new Set(taken.flatMap((one) => (one.sequence === sequence ? [] : [one.id])))
    const queue = await readQueue(db, channelId, sequence)
    if (!queue.requests.some(({ id }) => others.has(id))) return { sequence, queue }
  }
  return { sequence: inUse, queue: await readQueue(db, channelId, inUse) }
}
