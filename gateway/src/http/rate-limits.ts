import fastifyRateLimit from '@fastify/rate-limit'
import { openRedis } from '@looptide/service-kit/db/redis'
import type { App } from '@looptide/service-kit/http/app'
import type { Logger } from '@looptide/service-kit/process/logger'
import type { FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import type { ClientReader } from '../limits/client-reader.ts'
import { SITE_FACTOR } from '../limits/network-buckets.ts'
import { isRead } from './is-read.ts'
import { tooManyRequests } from './local-limits.ts'

/** Proxied requests per client network and minute. Services have stricter limits of their own. */
const READS_PER_MINUTE = 6000
const WRITES_PER_MINUTE = 1200

interface RateLimitOptions {
  redis: Redis
  factor: number
  clients: ClientReader
}

/** A Redis connection that fails at once while Redis is down, because a rate limiter must not delay requests. */
export function connectLimiterRedis(url: string, logger: Logger): Redis {
  const redis = openRedis(url, {
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    connectTimeout: 1000,
    commandTimeout: 500,
    retryStrategy: (times) => Math.min(2000, times * 100),
  })
  redis.on('error', (error) => logger.debug({ err: error }, 'rate limit redis unavailable'))
  return redis
}

/**
 * Counts requests per client network across all gateways, and those of an IPv6 /48 against a larger limit. While Redis is
 * down, nothing is counted or refused.
 */
export async function rateLimits(app: App, { redis, factor, clients }: RateLimitOptions): Promise<void> {
  const maxRequests = (request: FastifyRequest, times = 1): number =>
    Math.max(1, Math.round((isRead(request) ? READS_PER_MINUTE : WRITES_PER_MINUTE) * factor * times))
  const keyOf = (request: FastifyRequest, network: string): string =>
    `${isRead(request) ? 'r' : 'w'}:${network}`
  await app.register(fastifyRateLimit, {
    redis,
    nameSpace: 'gateway-rate:',
    skipOnError: true,
    timeWindow: 60_000,
    max: (request) => maxRequests(request),
    keyGenerator: (request) => keyOf(request, clients.networkOf(request.raw).network),
    errorResponseBuilder: (_request, { ttl }) => tooManyRequests(ttl),
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
  const countSite = app.createRateLimit({
    max: (request) => maxRequests(request, SITE_FACTOR),
    keyGenerator: (request) => keyOf(request, clients.networkOf(request.raw).site),
  })
  app.addHook('onRequest', async (request) => {
    const { network, site } = clients.networkOf(request.raw)
    if (network === site) return
    const result = await countSite(request)
    if (!result.isAllowed && result.isExceeded) throw tooManyRequests(result.ttl)
  })
}
