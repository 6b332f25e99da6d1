import fastifyRateLimit from '@fastify/rate-limit'
import { AppError } from '@looptide/service-kit/errors'
import type { Logger } from '@looptide/service-kit/logger'
import { openRedis } from '@looptide/service-kit/redis'
import type { App } from '@looptide/service-kit/server'
import type { FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import { isRead } from './is-read.ts'

/** Requests per address and minute that are passed on to services. Services have narrower limits of their own. */
const READS_PER_MINUTE = 6000
const WRITES_PER_MINUTE = 1200

export interface RateLimitOptions {
  redis: Redis
  factor: number
  clientAddress: (request: FastifyRequest) => string
}

/** A connection that answers or fails at once: a limiter must never make a request wait. */
export function connectLimiterRedis(url: string, logger: Logger): Redis {
  const redis = openRedis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    commandTimeout: 500,
    retryStrategy: (times) => Math.min(2000, times * 100),
  })
  redis.on('error', (error) => logger.debug({ err: error }, 'Redis is away; requests are not counted'))
  return redis
}

/** Counts requests per address across all gateways. Without Redis nothing is counted and nothing refused. */
export async function rateLimits(
  app: App,
  { redis, factor, clientAddress }: RateLimitOptions,
): Promise<void> {
  await app.register(fastifyRateLimit, {
    redis,
    nameSpace: 'gateway-rate:',
    skipOnError: true,
    timeWindow: 60_000,
    max: (request) =>
      Math.max(1, Math.round((isRead(request) ? READS_PER_MINUTE : WRITES_PER_MINUTE) * factor)),
    keyGenerator: (request) => `${isRead(request) ? 'r' : 'w'}:${clientAddress(request)}`,
    errorResponseBuilder: (_request, { ttl }) =>
      new AppError('rate_limited', 'Too many requests. Please wait a moment.', { retryAfterMs: ttl }),
    addHeadersOnExceeding: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
    },
    addHeaders: {
      'x-ratelimit-limit': false,
      'x-ratelimit-remaining': false,
      'x-ratelimit-reset': false,
      'retry-after': true,
    },
  })
}
