import fastifyRateLimit from '@fastify/rate-limit'
import { openRedis } from '@looptide/service-kit/db/redis'
import type { App } from '@looptide/service-kit/http/app'
import { type ClientNetwork, SITE_FACTOR } from '@looptide/service-kit/limits/client-network'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { FastifyRequest } from 'fastify'
import type { Redis } from 'ioredis'
import type { ClientReader } from '../limits/client-reader.ts'
import { scaledLimit } from '../limits/network-buckets.ts'
import { isRead } from './is-read.ts'
import { tooManyRequests } from './local-limits.ts'

/** A limit of requests per client network and minute, counted by all gateways together. */
interface SharedLimit {
  name: string
  reads: number
  writes: number
}

/** Counts a request. Throws `rate_limited` above the limit. */
export type CountRequest = (request: FastifyRequest) => Promise<void>

export type CreateLimit = (limit: SharedLimit) => CountRequest

interface SharedLimitsOptions {
  redis: Redis
  /** `RATE_LIMIT_FACTOR` */
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
 * Returns a function that creates limits of requests by client network across all gateways, counted in Redis. Every limit
 * also counts the requests of an IPv6 /48, against four times as much. While Redis is down, nothing is counted or refused.
 */
export async function sharedLimits(
  app: App,
  { redis, factor, clients }: SharedLimitsOptions,
): Promise<CreateLimit> {
  await app.register(fastifyRateLimit, {
    global: false,
    redis,
    nameSpace: 'gateway-rate:',
    skipOnError: true,
    timeWindow: 60_000,
  })
  app.addHook('onRoute', ({ url, config }) => {
    if (config?.rateLimit !== undefined)
      throw new Error(`${url}: the plugin's limit of a route does not count the /48; use sharedLimits`)
  })
  return ({ name, reads, writes }) => {
    const counter = (range: keyof ClientNetwork, times: number) =>
      app.createRateLimit({
        max: (request) => scaledLimit(isRead(request) ? reads : writes, factor) * times,
        keyGenerator: (request) =>
          `${name}:${isRead(request) ? 'r' : 'w'}:${clients.networkOf(request.raw)[range]}`,
      })
    const countNetwork = counter('network', 1)
    const countSite = counter('site', SITE_FACTOR)
    return async (request) => {
      const { network, site } = clients.networkOf(request.raw)
      // The network first: above its limit it must not use up that of the site.
      refuseAbove(await countNetwork(request))
      if (site !== network) refuseAbove(await countSite(request))
    }
  }
}

type CountResult = Awaited<ReturnType<ReturnType<App['createRateLimit']>>>

function refuseAbove(result: CountResult): void {
  if (!result.isAllowed && result.isExceeded) throw tooManyRequests(result.ttl)
}
