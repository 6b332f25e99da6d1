import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import { idFromName } from '@looptide/service-kit/ids'
import type { Outcome } from '../youtube/outcome.ts'
import type { LookupRequest } from './lookup-queue.ts'

/**
 * The events that tell of an outcome; none for a passing failure. Their ids come from the video and the
 * request: a look-up that is repeated after a crash repeats its events with the same ids, and those who
 * listen take them once.
 */
export function eventsOf(
  youtubeId: string,
  request: LookupRequest,
  outcome: Outcome,
  occurredAt: string,
): Envelope[] {
  const event = <T extends EventType>(type: T, data: EventData<T>): Envelope => ({
    id: idFromName(`${type}:${youtubeId}:${request.requestId}`),
    type,
    occurredAt,
    actorId: null,
    correlationId: request.correlationId,
    aggregateId: youtubeId,
    aggregateVersion: request.version,
    data,
  })
  const known = outcome.kind === 'failed' ? null : outcome.facts
  const events = known === null ? [] : [event('metadata.video.resolved.v1', known)]
  if (outcome.kind === 'unavailable') {
    events.push(event('metadata.video.unavailable.v1', { youtubeId, reason: outcome.reason }))
  }
  return events
}
