import { isDeepStrictEqual } from 'node:util'
import type { BlockedRequest } from '@looptide/planner/plan'
import { appendEvent } from '@looptide/service-kit/events/outbox'
import type { RequestPlanBody, Trx } from '../db/schema.ts'
import { deleteQueuesBefore } from './queue-repository.ts'
import {
  deleteRequestPlan,
  findRequestPlan,
  plannedRequests,
  saveRequestPlan,
} from './request-plan-repository.ts'

/** Maximum number of planned and of blocked requests that are published. */
const MAX_PUBLISHED = 500

/** The requests of a plan: the queue that it has used, and those of it that rules forbid. */
export interface PlannedRequests {
  sequence: number
  blocked: readonly BlockedRequest[]
}

/** What was written to a timeline. */
interface WrittenPlan {
  nowMs: number
  /** Programmes that start within this time (ms) do not change any more. */
  freezeMs: number
  /** Undefined without a queue. */
  requests: PlannedRequests | undefined
  /** The plan follows the end of the timeline: what was blocked before still is. */
  isExtension?: boolean
}

/**
 * Decides the requests of a written plan that start within its freeze interval, and those that were decided before and have
 * moved by less than that. Publishes what is planned and decided if that
 * has changed. The caller holds the channel's lock.
 */
export async function publishPlan(
  trx: Trx,
  channelId: string,
  { nowMs, freezeMs, requests, isExtension = false }: WrittenPlan,
): Promise<void> {
  const before = await findRequestPlan(trx, channelId)
  if (before === undefined && requests === undefined) return
  if (requests !== undefined) await deleteQueuesBefore(trx, channelId, requests.sequence)
  const blocked = isExtension ? (before?.body.blocked ?? []) : presentBlocked(requests?.blocked ?? [])
  const hasRequests = requests !== undefined
  await publish(trx, channelId, { nowMs, freezeMs, blocked, hasRequests, before })
}

/** Decides the requests of a channel that start within its freeze interval at `nowMs` (epoch ms). */
export async function decideRequests(trx: Trx, channelId: string, nowMs: number): Promise<void> {
  const before = await findRequestPlan(trx, channelId)
  if (before === undefined) return
  const { freezeMs, body } = before
  await publish(trx, channelId, { nowMs, freezeMs, blocked: body.blocked, hasRequests: true, before })
}

async function publish(
  trx: Trx,
  channelId: string,
  change: {
    nowMs: number
    freezeMs: number
    blocked: RequestPlanBody['blocked']
    hasRequests: boolean
    before: Awaited<ReturnType<typeof findRequestPlan>>
  },
): Promise<void> {
  const { nowMs, freezeMs, blocked, hasRequests, before } = change
  const programmes = await plannedRequests(trx, channelId, MAX_PUBLISHED)
  const moved = decidedIn(before?.body ?? NOTHING, programmes).filter(
    (startsAtMs) => startsAtMs < nowMs + 2 * freezeMs,
  )
  const decidedUntilMs = Math.max(
    before?.decidedUntilMs ?? 0,
    nowMs + freezeMs,
    ...moved.map((startsAtMs) => startsAtMs + 1),
  )
  const planned = programmes.map(({ startsAtMs, request: { id, currency, sequence, passedOver } }) => {
    const isDecided = startsAtMs < decidedUntilMs
    return {
      ...{ requestId: id, currency, sequence, startsAtMs, isDecided },
      passedOver: isDecided ? passedOver : [],
    }
  })
  const plannedIds = new Set(planned.map(({ requestId }) => requestId))
  const body = { planned, blocked: blocked.filter(({ requestId }) => !plannedIds.has(requestId)) }
  const next = planned.find(({ isDecided }) => !isDecided)
  const decideAtMs = next === undefined ? null : next.startsAtMs - freezeMs
  if (hasRequests || planned.length > 0)
    await saveRequestPlan(trx, { channelId, decidedUntilMs, freezeMs, decideAtMs, body })
  else await deleteRequestPlan(trx, channelId)
  if (isDeepStrictEqual(before?.body ?? NOTHING, body)) return
  await appendEvent(trx, 'stream.requests.planned.v1', channelId, { channelId, ...body })
}

/** The starts (epoch ms) of programmes whose requests were decided before: an edit of the log may have moved them. */
function decidedIn(
  { planned }: RequestPlanBody,
  programmes: Awaited<ReturnType<typeof plannedRequests>>,
): number[] {
  const decided = planned.filter(({ isDecided }) => isDecided)
  return programmes.flatMap(({ startsAtMs, request: { id, sequence } }) =>
    decided.some((one) => one.requestId === id && one.sequence === sequence) ? [startsAtMs] : [],
  )
}

const NOTHING: RequestPlanBody = { planned: [], blocked: [] }

const presentBlocked = (blocked: readonly BlockedRequest[]): RequestPlanBody['blocked'] =>
  blocked.slice(0, MAX_PUBLISHED).map(({ id, rule, untilMs }) => ({ requestId: id, rule, untilMs }))
