import { openRedis } from '@looptide/service-kit/redis'
import type { Background } from '@looptide/service-kit/run-service'
import type { Redis } from 'ioredis'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Vault } from '../crypto/vault.ts'
import { AuthError } from '../protocol/auth-error.ts'

/** How many per how many seconds, before the factor of the settings. */
const RULES = {
  /** Sign-ups, mails and codes from one address of the network. */
  'mail-address': { points: 60, seconds: 300 },
  'sign-up-address': { points: 60, seconds: 300 },
  'verify-address': { points: 60, seconds: 300 },
  'password-address': { points: 120, seconds: 300 },
  /** Tries at one account from one place, and from everywhere. */
  'password-account-address': { points: 10, seconds: 300 },
  'password-account': { points: 60, seconds: 900 },
  'refresh-address': { points: 1800, seconds: 300 },
  'refresh-session': { points: 120, seconds: 60 },
  'update-account': { points: 30, seconds: 300 },
} as const

export type RuleName = keyof typeof RULES

interface Limiter {
  consume(key: string): Promise<unknown>
  reward(key: string): Promise<unknown>
}

/** One try under a rule, counted by a key of any parts. */
export type Try = readonly [rule: RuleName, ...key: string[]]

/**
 * Rate limits, shared by the replicas through Redis. While Redis is away each replica counts by itself:
 * nobody is locked out by an outage, and nobody is let loose. Keys are digests: no address is in Redis.
 */
export class RateLimits implements Background {
  readonly #limiters: ReadonlyMap<RuleName, Limiter>
  readonly #redis: Redis | undefined
  readonly #vault: Vault

  constructor(options: {
    vault: Vault
    redisUrl: string | undefined
    factor: number
    warn: (error: unknown) => void
  }) {
    this.#vault = options.vault
    this.#redis = options.redisUrl === undefined ? undefined : connect(options.redisUrl, options.warn)
    const redis = this.#redis
    const names = Object.keys(RULES) as RuleName[]
    this.#limiters = new Map(
      names.map((name): [RuleName, Limiter] => {
        const { points, seconds } = RULES[name]
        const settings = {
          keyPrefix: `auth:limit:${name}`,
          points: Math.max(1, Math.round(points * options.factor)),
          duration: seconds,
        }
        const memory = new RateLimiterMemory(settings)
        if (redis === undefined) return [name, memory]
        return [name, new RateLimiterRedis({ ...settings, storeClient: redis, insuranceLimiter: memory })]
      }),
    )
  }

  start(): void {
    this.#redis?.connect().catch(() => undefined)
  }

  stop(): void {
    this.#redis?.disconnect()
  }

  /** Counts one try under each rule; throws `over_request_rate_limit` when one is exhausted. */
  async take(...tries: readonly Try[]): Promise<void> {
    for (const [rule, ...key] of tries) {
      const limiter = this.#limiters.get(rule)
      try {
        await limiter?.consume(this.#keyOf(key))
      } catch (error) {
        if (error instanceof RateLimiterRes) throw AuthError.tooManyRequests(error.msBeforeNext)
        throw error
      }
    }
  }

  /** Takes tries back that turned out well: only failures are to count. */
  async giveBack(...tries: readonly Try[]): Promise<void> {
    for (const [rule, ...key] of tries) await this.#limiters.get(rule)?.reward(this.#keyOf(key))
  }

  #keyOf(parts: readonly string[]): string {
    return this.#vault.digest('rate-limit', ...parts).toString('base64url')
  }
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
