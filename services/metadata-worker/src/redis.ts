import { errors, isOutage } from '@looptide/service-kit/errors'
import type { Logger } from '@looptide/service-kit/logger'
import { openRedis } from '@looptide/service-kit/redis'
import type { Redis } from 'ioredis'

/** All of the worker's keys begin with this. */
export const KEY_PREFIX = 'looptide:metadata'

/** A loop waits in Redis itself for the next job, ten seconds at most (BullMQ, `maximumBlockTimeout`). */
const LONGEST_SILENCE_MS = 15_000

/**
 * A connection that comes back by itself. `patient` ones wait for Redis however long it is away (loops);
 * the others say after three seconds that it is (requests, the inbox).
 */
export function connectRedis(url: string, logger: Logger, patience: 'patient' | 'prompt'): Redis {
  const redis = openRedis(url, {
    maxRetriesPerRequest: patience === 'patient' ? null : 1,
    ...(patience === 'patient' ? { socketTimeout: LONGEST_SILENCE_MS } : { commandTimeout: 3000 }),
    retryStrategy: (times) => Math.min(1000, 50 * times),
  })
  redis.on('error', (error) => logger.debug({ err: error }, 'Redis cannot be reached'))
  return redis
}

const AWAY =
  /Connection is closed|Command timed out|max retries per request|isn't writeable|LOADING|READONLY/i

/** Does `work` and turns "Redis is away" into `service_unavailable`, which consumers wait out. */
export async function withRedis<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isOutage(error)) throw errors.unavailable('The job store', error)
    if (error instanceof Error && AWAY.test(`${error.name} ${error.message}`)) {
      throw errors.unavailable('The job store', error)
    }
    throw error
  }
}
