import type { Logger } from '@looptide/service-kit/logger'
import { jetstream } from '@looptide/service-kit/nats-client'
import { PeriodicTask } from '@looptide/service-kit/periodic-task'
import { type EventPublisher, publishEnvelope } from '@looptide/service-kit/publish-envelope'
import type { Redis } from 'ioredis'
import { KEY_PREFIX } from '../redis.ts'
import { queueEmptied } from './queue-emptied.ts'

const MARKER = `${KEY_PREFIX}:marker`
const EVERY_MS = 5000

/**
 * Detects that Redis has lost its data: a marker key is gone. The catalogue is then asked, by an event, to request
 * again what it still waits for. The marker is written after the event is acknowledged, so no loss goes unreported.
 */
export function lossDetector(
  redis: Redis,
  { nats, keys }: EventPublisher,
  logger: Logger,
  everyMs = EVERY_MS,
): PeriodicTask {
  const run = async (): Promise<void> => {
    if ((await redis.exists(MARKER)) === 1) return
    const event = queueEmptied()
    await publishEnvelope(jetstream(nats), keys, event)
    await redis.set(MARKER, event.id)
    logger.warn('look-up queue was empty of all data, requests repeated')
  }
  return new PeriodicTask({ logger, everyMs, atStart: true, failure: 'job loss not checked', run })
}
