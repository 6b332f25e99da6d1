import { clientNetworkOf } from '@looptide/service-kit/client-network'
import { openRedis } from '@looptide/service-kit/redis'
import type { Background } from '@looptide/service-kit/run-service'
import type { Redis } from 'ioredis'
import type { Counter } from 'prom-client'
import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible'
import type { Vault } from '../crypto/vault.ts'
import { AuthError } from '../protocol/auth-error.ts'
import { type RuleName, rulesFor, SITE_SHARE, type StationLimits } from './rules.ts'

interface Limiter {
  consume(key: string): Promise<unknown>
  reward(key: string): Promise<unknown>
}

interface RuleLimiters {
  byNetwork: boolean
  own: Limiter
  /** Of a rule by network: the larger limit of the site. */
  site: Limiter
  points: number
}

/** One try under a rule, counted by a key of any parts. Of a rule by network the last part is the client's address. */
export type Try = readonly [rule: RuleName, ...key: string[]]

/** A rule that is exhausted. */
export interface Exhausted {
  rule: RuleName
  retryAfterMs: number
  /** Tries beyond the limit so far, this one included. */
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
 * Rate limits, shared by the replicas through Redis. While Redis is away each replica counts by itself, so that an
 * outage neither locks anybody out nor lifts the limits. Keys are digests: Redis holds no address.
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
      const own = createLimiter(`auth:limit:${name}`, points, seconds, redis)
      const site = byNetwork
        ? createLimiter(`auth:limit:${name}:site`, points * SITE_SHARE, seconds, redis)
        : own
      limiters.set(name, { byNetwork, own, site, points })
    }
    this.#limiters = limiters
  }

  start(): void {
    this.#redis?.connect().catch(() => undefined)
  }

  stop(): void {
    this.#redis?.disconnect()
  }

  /** Counts one try under each rule; throws `over_request_rate_limit` when one is exhausted. */
  async take(...tries: readonly Try[]): Promise<void> {
    const exhausted = await this.count(...tries)
    if (exhausted !== undefined) throw AuthError.tooManyRequests(exhausted.retryAfterMs)
  }

  /** Counts one sign-up of a client, and of the whole station. Errors: `over_request_rate_limit`. */
  takeSignUp(address: string): Promise<void> {
    return this.take(['sign-up-network', address], ['station-sign-ups'])
  }

  /**
   * Counts one request for a mail of a client, and of the whole station, before anything is known of the receiver.
   * Errors: `over_request_rate_limit` for the client, `over_email_send_rate_limit` for the station.
   */
  async takeMail(address: string): Promise<void> {
    await this.take(['mail-network', address])
    await this.takeStationMail()
  }

  /** Counts one request for a mail of the whole station. Errors: `over_email_send_rate_limit`. */
  async takeStationMail(): Promise<void> {
    const exhausted = await this.count(['station-mails'], ['station-mails-daily'])
    if (exhausted !== undefined) throw AuthError.tooManyMails(exhausted.retryAfterMs)
  }

  /** Counts one try under each rule up to the first that is exhausted, and answers that one. */
  async count(...tries: readonly Try[]): Promise<Exhausted | undefined> {
    for (const [rule, ...key] of tries) {
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

  /** Takes back tries that succeeded: only failures count. */
  async giveBack(...tries: readonly Try[]): Promise<void> {
    for (const [rule, ...key] of tries) {
      for (const [limiter, , digest] of this.#bucketsOf(rule, key)) await limiter.reward(digest)
    }
  }

  /** The counters of one try: its own, and by network that of the site, if that is another. */
  #bucketsOf(rule: RuleName, key: readonly string[]): [limiter: Limiter, points: number, digest: string][] {
    const found = this.#limiters.get(rule)
    if (found === undefined) return []
    const { byNetwork, own, site, points } = found
    if (!byNetwork) return [[own, points, this.#digest(key)]]
    const rest = key.slice(0, -1)
    const client = clientNetworkOf(key.at(-1) ?? '')
    const ofNetwork: [Limiter, number, string] = [own, points, this.#digest([...rest, client.network])]
    if (client.site === client.network) return [ofNetwork]
    return [ofNetwork, [site, points * SITE_SHARE, this.#digest([...rest, client.site])]]
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
