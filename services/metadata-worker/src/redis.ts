import { openRedis } from '@looptide/service-kit/db/redis'
import { errors, isOutage } from '@looptide/service-kit/http/errors'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Redis } from 'ioredis'

/** Prefix of all keys of the metadata worker. */
export const KEY_PREFIX = 'looptide:metadata'

/** Socket timeout of a retrying connection, in ms. BullMQ blocks for up to 10 s (`maximumBlockTimeout`). */
const SOCKET_TIMEOUT_MS = 15_000
/** Command timeout of a fail-fast connection, in ms. */
const COMMAND_TIMEOUT_MS = 3000

/**
 * Opens a connection that reconnects by itself. Commands on a `retrying` connection wait until Redis is reachable; job
 * workers use it. Commands on a `failFast` connection fail after 3 s; request handlers and the inbox use it.
 */
export function connectRedis(url: string, logger: Logger, mode: 'retrying' | 'failFast'): Redis {
  const redis = openRedis(url, {
    maxRetriesPerRequest: mode === 'retrying' ? null : 1,
    ...(mode === 'retrying' ? { socketTimeout: SOCKET_TIMEOUT_MS } : { commandTimeout: COMMAND_TIMEOUT_MS }),
    retryStrategy: (times) => Math.min(1000, 50 * times),
  })
  redis.on('error', (error) => logger.debug({ err: error }, 'redis unreachable'))
  return redis
}

/** Messages of errors that mean an outage of Redis. */
const OUTAGE =
  /Connection is closed|Command timed out|max retries per request|isn't writeable|LOADING|READONLY/i

/** Runs `work` and turns an outage of Redis into `service_unavailable`. Event consumers retry on this error. */
export async function withRedis<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isOutage(error)) throw errors.unavailable('The job store', error)
    if (error instanceof Error && OUTAGE.test(`${error.name} ${error.message}`)) {
      throw errors.unavailable('The job store', error)
    }
    throw error
  }
}
