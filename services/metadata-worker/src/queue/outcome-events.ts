import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import { idFromName } from '@looptide/service-kit/db/ids'
import type { Broadcast, Outcome } from '../youtube/outcome.ts'
import type { LookupRequest } from './lookup-queue.ts'

/** Interval of look-ups of a live stream, and of a premiere whose start is over or unknown, in ms. */
const BROADCAST_INTERVAL_MS = 30 * 60_000
/** A broadcast is looked up at least once a day, because its start may be brought forward. */
const DAY_MS = 86_400_000

/**
 * The events of an outcome; none for a transient failure. Their ids derive from the video and the request. A look-up that
 * is repeated after a crash publishes the same ids, so consumers apply the events once.
 */
export function outcomeEvents(
  youtubeId: string,
  request: LookupRequest,
  outcome: Outcome,
  nowMs: number,
): Envelope[] {
  const event = <T extends EventType>(type: T, data: EventData<T>): Envelope => ({
    id: idFromName(`${type}:${youtubeId}:${request.requestId}`),
    type,
    occurredAt: new Date(nowMs).toISOString(),
    actorId: null,
    correlationId: request.correlationId,
    aggregateId: youtubeId,
    aggregateVersion: request.version,
    data,
  })
  const metadata = outcome.kind === 'failed' ? null : outcome.metadata
  const events = metadata === null ? [] : [event('metadata.video.resolved.v1', metadata)]
  if (outcome.kind === 'unavailable') {
    const { reason, broadcast } = outcome
    const again = broadcast && { lookUpAgainAt: new Date(lookUpAgainAtMs(broadcast, nowMs)).toISOString() }
    events.push(event('metadata.video.unavailable.v1', { youtubeId, reason, ...again }))
  }
  return events
}

/** When a premiere or live stream is looked up again: at its scheduled start, and regularly when it starts late or is live. */
function lookUpAgainAtMs({ state, startsAtMs }: Broadcast, nowMs: number): number {
  const scheduledMs = state === 'upcoming' && startsAtMs !== null ? startsAtMs : 0
  return Math.min(Math.max(scheduledMs, nowMs + BROADCAST_INTERVAL_MS), nowMs + DAY_MS)
}
