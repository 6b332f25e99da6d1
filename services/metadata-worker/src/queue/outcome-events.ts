import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import { idFromName } from '@looptide/service-kit/db/ids'
import type { Outcome } from '../youtube/outcome.ts'
import type { LookupRequest } from './lookup-queue.ts'

/**
 * The events of an outcome; none for a transient failure. Their ids derive from the video and the request. A look-up that
 * is repeated after a crash publishes the same ids, so consumers apply the events once.
 */
export function outcomeEvents(
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
  const metadata = outcome.kind === 'failed' ? null : outcome.metadata
  const events = metadata === null ? [] : [event('metadata.video.resolved.v1', metadata)]
  if (outcome.kind === 'unavailable') {
    events.push(event('metadata.video.unavailable.v1', { youtubeId, reason: outcome.reason }))
  }
  return events
}
