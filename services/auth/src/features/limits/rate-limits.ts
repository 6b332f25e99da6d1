import { openRedis } from '@looptide/service-kit/db/redis'
import { clientNetworkOf, SITE_FACTOR } from '@looptide/service-kit/limits/client-network'
import type { Background } from '@looptide/service-kit/process/background'
import type { Redis } from 'ioredis'
import type { Counter } from 'prom-client'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import { AccountError } from '../../account-error.ts'
import type { Vault } from '../../crypto/vault.ts'
import { type RuleName, rulesFor, type StationLimits } from './rules.ts'

interface Limiter {
  consume(key: string): Promise<unknown>
  reward(key: string): Promise<unknown>
}

interface RuleLimiters {
  byNetwork: boolean
  limiter: Limiter
  /** The larger limit of the site, for rules by network; otherwise the same as `limiter`. */
  siteLimiter: Limiter
  points: number
}

/** One attempt under a rule, counted by a key of any parts. For rules by network the last part is the client's IP. */
export type LimitedAttempt = readonly [rule: RuleName, ...key: string[]]

/** The rule whose limit an attempt exceeded. */
export interface Exhausted {
  rule: RuleName
  retryAfterMs: number
  /** Attempts over the limit so far, including this one. */
  excess: number
}

interface LimitOptions {
  vault: Vault
  redisUrl: string | undefined
  factor: number
  station: StationLimits
  refusals: Counter<'rule'>
  warn: (error: unknown) => void
}

/**
 * Rate limits, shared by all replicas through Redis. Without Redis each replica counts in memory, so that an outage
 * neither blocks users nor removes the limits. Keys are digests: Redis stores no email or IP.
 */
export class RateLimits implements Background {
  readonly #limiters: ReadonlyMap<RuleName, RuleLimiters>
  readonly #redis: Redis | undefined
  readonly #options: LimitOptions

  constructor(options: LimitOptions) {
    this.#options = options
    const redis = options.redisUrl === undefined ? undefined : connect(options.redisUrl, options.warn)
    this.#redis = redis
    const limiters = new Map<RuleName, RuleLimiters>()
    for (const [name, { points, seconds, byNetwork }] of rulesFor(options.station, options.factor)) {
      const limiter = createLimiter(`auth:limit:${name}`, points, seconds, redis)
      const siteLimiter = byNetwork
        ? createLimiter(`auth:limit:${name}:site`, points * SITE_FACTOR, seconds, redis)
        : limiter
      limiters.set(name, { byNetwork, limiter, siteLimiter, points })
    }
    this.#limiters = limiters
  }

  start(): void {
    this.#redis?.connect().catch(() => undefined)
  }

  stop(): void {
    this.#redis?.disconnect()
  }

  /** Counts one attempt under each rule. Throws `too_many_requests` when a limit is exceeded. */
  async consume(...attempts: readonly LimitedAttempt[]): Promise<void> {
    const exhausted = await this.tryConsume(...attempts)
    if (exhausted !== undefined) throw AccountError.tooManyRequests(exhausted.retryAfterMs)
  }

  /** Counts one attempt under each rule, in order. Stops at the first exceeded limit and returns its rule. */
  async tryConsume(...attempts: readonly LimitedAttempt[]): Promise<Exhausted | undefined> {
    for (const [rule, ...key] of attempts) {
      for (const [limiter, points, digest] of this.#bucketsOf(rule, key)) {
        try {
          await limiter.consume(digest)
        } catch (error) {
          if (!(error instanceof RateLimiterRes)) throw error
          this.#options.refusals.inc({ rule })
          return { rule, retryAfterMs: error.msBeforeNext, excess: error.consumedPoints - points }
        }
      }
    }
    return undefined
  }

  /** Returns the points of attempts that succeeded, so that only failures count. */
  async refund(...attempts: readonly LimitedAttempt[]): Promise<void> {
    for (const [rule, ...key] of attempts) {
      for (const [limiter, , digest] of this.#bucketsOf(rule, key)) await limiter.reward(digest)
    }
  }

  /** The counters of one attempt: by key, and for rules by network also by site, if that is a larger network. */
  #bucketsOf(rule: RuleName, key: readonly string[]): [limiter: Limiter, points: number, digest: string][] {
    const found = this.#limiters.get(rule)
    if (found === undefined) return []
    const { byNetwork, limiter, siteLimiter, points } = found
    if (!byNetwork) return [[limiter, points, this.#digest(key)]]
    const rest = key.slice(0, -1)
    const client = clientNetworkOf(key.at(-1) ?? '')
    const networkBucket: [Limiter, number, string] = [
      limiter,
      points,
      this.#digest([...rest, client.network]),
    ]
    if (client.site === client.network) return [networkBucket]
    return [networkBucket, [siteLimiter, points * SITE_FACTOR, this.#digest([...rest, client.site])]]
  }

  #digest(parts: readonly string[]): string {
    return this.#options.vault.digest('rate-limit', ...parts).toString('base64url')
  }
}

function createLimiter(
  keyPrefix: string,
  points: number,
  duration: number,
  redis: Redis | undefined,
): Limiter {
  const memory = new RateLimiterMemory({ keyPrefix, points, duration })
  if (redis === undefined) return memory
  return new RateLimiterRedis({ keyPrefix, points, duration, storeClient: redis, insuranceLimiter: memory })
}

function connect(url: string, warn: (error: unknown) => void): Redis {
  const redis = openRedis(url, {
    lazyConnect: true,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 1,
    commandTimeout: 500,
    retryStrategy: (attempt) => Math.min(5000, 100 * attempt),
  })
  redis.on('error', warn)
  return redis
}
