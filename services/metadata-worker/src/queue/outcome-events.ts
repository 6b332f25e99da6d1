import type { Envelope, EventData, EventType } from '@looptide/contracts/events'
import { idFromName } from '@looptide/service-kit/db/ids'
import { validateEnvelope } from '@looptide/service-kit/events/decode-envelope'
import { splitIntoLists } from '@looptide/service-kit/events/event-lists'
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

/** A job, its request, and the events of its outcome. */
interface Answer {
  request: LookupRequest
  events: readonly Envelope[]
}

/** Jobs of one request whose events are published together, as the bulk event `event`. */
interface BulkAnswer<A extends Answer> {
  answers: readonly A[]
  event: Envelope<'metadata.videos.resolved.v1'>
}

/**
 * The answers of a batch that are published together: those to the same request that consist of metadata. What an
 * unavailable video publishes must stay in order, so it keeps its events. An older catalogue skips bulk events, so only
 * answers to requests that it repeats are joined. The events keep their ids in the bulk event.
 */
export function bulkAnswers<A extends Answer>(batch: readonly A[]): BulkAnswer<A>[] {
  const resolved = batch.flatMap((answer) => {
    const [event, ...others] = answer.events
    if (event === undefined || others.length > 0 || answer.request.isRepeated !== true) return []
    return isResolved(event) ? [{ answer, event }] : []
  })
  return [...Map.groupBy(resolved, ({ answer }) => answer.request.requestId).values()]
    .flatMap((same) => splitIntoLists(same, ({ event }) => event.data))
    .flatMap((list) => {
      const [first] = list
      if (first === undefined || list.length === 1) return []
      const videos = list.map(({ event }) => ({ eventId: event.id, video: event.data }))
      const type = 'metadata.videos.resolved.v1' as const
      const id = idFromName([type, ...videos.map(({ eventId }) => eventId)].join(':'))
      const event = { ...first.event, id, type, data: { videos } }
      return [{ answers: list.map(({ answer }) => answer), event }]
    })
}

/** Consumers refuse a bulk event with a part that is not valid, so that such an event stays alone. */
const isResolved = (event: Envelope): event is Envelope<'metadata.video.resolved.v1'> =>
  event.type === 'metadata.video.resolved.v1' && validateEnvelope(event) === undefined

/** When a premiere or live stream is looked up again: at its scheduled start, and regularly when it starts late or is live. */
function lookUpAgainAtMs({ state, startsAtMs }: Broadcast, nowMs: number): number {
  const scheduledMs = state === 'upcoming' && startsAtMs !== null ? startsAtMs : 0
  return Math.min(Math.max(scheduledMs, nowMs + BROADCAST_INTERVAL_MS), nowMs + DAY_MS)
}
