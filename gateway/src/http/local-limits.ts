import { AppError } from '@looptide/service-kit/http/errors'
import type { FastifyRequest } from 'fastify'
import type { ClientReader } from '../limits/client-reader.ts'
import { NetworkBuckets, perMinute } from '../limits/network-buckets.ts'

/**
 * Requests per minute and client network that the gateway serves itself, by cost. `any` counts every request, including
 * those served from memory or proxied; the others are counted in addition.
 */
export const LOCAL_LIMITS = {
  any: 12_000,
  /** A channel's current state as JSON. A viewer without a socket requests it four times a minute. */
  now: 3000,
  /** Pages: HTML rendered for the request. */
  page: 1200,
  /** Pictures for link previews. Each may have to be drawn. */
  card: 120,
  /** Broadcasts over HTTP: the token is verified for each. */
  broadcast: 1200,
  /** Personal access tokens exchanged at auth: one a minute for each token in use, and one for each unknown token. */
  tokenExchange: 300,
  /** Reports of Content Security Policy violations. */
  cspReport: 60,
}
export type LocalLimit = keyof typeof LOCAL_LIMITS

interface LocalLimitsOptions {
  clients: ClientReader
  /** `RATE_LIMIT_FACTOR` */
  factor: number
  /** Monotonic clock in ms. */
  now: () => number
}

/**
 * Limits requests by client network, in this process's memory. For responses that cost less than a request to Redis.
 * Each gateway counts for itself.
 */
export class LocalLimits {
  readonly #options: LocalLimitsOptions
  readonly #buckets: Record<LocalLimit, NetworkBuckets>

  constructor(options: LocalLimitsOptions) {
    this.#options = options
    const buckets = (limit: LocalLimit) => new NetworkBuckets(perMinute(LOCAL_LIMITS[limit], options.factor))
    this.#buckets = {
      any: buckets('any'),
      now: buckets('now'),
      page: buckets('page'),
      card: buckets('card'),
      broadcast: buckets('broadcast'),
      tokenExchange: buckets('tokenExchange'),
      cspReport: buckets('cspReport'),
    }
  }

  /** Counts a request. False above the limit. */
  allows(limit: LocalLimit, request: Pick<FastifyRequest, 'raw'>): boolean {
    return this.#take(limit, request) === 0
  }

  /** Counts a request. Throws `rate_limited` with the time to wait above the limit. */
  count(limit: LocalLimit, request: FastifyRequest): void {
    const waitMs = this.#take(limit, request)
    if (waitMs > 0) throw tooManyRequests(waitMs)
  }

  /** `count` as a route hook. */
  hook(limit: LocalLimit): (request: FastifyRequest) => Promise<void> {
    return async (request) => this.count(limit, request)
  }

  #take(limit: LocalLimit, { raw }: Pick<FastifyRequest, 'raw'>): number {
    const { clients, now } = this.#options
    return this.#buckets[limit].take(clients.networkOf(raw), now())
  }
}

/** The error of a rate limit. `retryAfterMs`: time until the next request is allowed. */
export const tooManyRequests = (retryAfterMs: number): AppError =>
  new AppError('rate_limited', 'Too many requests. Please wait a moment.', {
    retryAfterMs: Math.ceil(retryAfterMs),
  })
