import type { Envelope } from '@looptide/contracts/events'
import { newId } from '@looptide/service-kit/db/ids'
import { jetstream } from '@looptide/service-kit/events/nats-client'
import { type EventPublisher, publishEnvelope } from '@looptide/service-kit/events/publish-envelope'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { Redis } from 'ioredis'
import { KEY_PREFIX } from '../redis.ts'

const MARKER_KEY = `${KEY_PREFIX}:marker`
const EVERY_MS = 5000

/**
 * Detects that Redis has lost its data, by a missing marker key. It then publishes an event that makes the catalogue
 * request all missing metadata again. The marker is written after the event is acknowledged, so that a loss is always
 * reported.
 */
export function lossDetector(
  redis: Redis,
  { nats, keys }: EventPublisher,
  logger: Logger,
  everyMs = EVERY_MS,
): PeriodicTask {
  const run = async (): Promise<void> => {
    if ((await redis.exists(MARKER_KEY)) === 1) return
    const event = queueEmptied()
    await publishEnvelope(jetstream(nats), keys, event)
    await redis.set(MARKER_KEY, event.id)
    logger.warn('look-up queue data lost')
  }
  return new PeriodicTask({ logger, everyMs, atStart: true, failure: 'look-up queue data not checked', run })
}

/** An event that makes the catalogue request all missing metadata again. */
export const queueEmptied = (): Envelope<'metadata.queue.emptied.v1'> => ({
  id: newId(),
  type: 'metadata.queue.emptied.v1',
  occurredAt: new Date().toISOString(),
  actorId: null,
  correlationId: null,
  aggregateId: 'look-ups',
  aggregateVersion: Date.now(),
  data: {},
})
