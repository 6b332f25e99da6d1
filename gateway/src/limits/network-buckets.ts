import { type ClientNetwork, SITE_FACTOR } from '@looptide/service-kit/limits/client-network'
import { type BucketSize, LeakyBucket } from './leaky-bucket.ts'

/** Largest number of networks, and of sites, with a bucket. */
const MAX_BUCKETS = 50_000

/**
 * One bucket for each client network and a larger one for each IPv6 /48, in bounded memory. Not `lru-cache`, which would
 * allocate the largest number at once.
 */
export class NetworkBuckets {
  readonly #networks: Buckets
  /** Apart from the networks: those of one site must not evict its bucket. */
  readonly #sites: Buckets

  constructor({ perSecond, burst }: BucketSize) {
    this.#networks = new Buckets({ perSecond, burst })
    this.#sites = new Buckets({ perSecond: perSecond * SITE_FACTOR, burst: burst * SITE_FACTOR })
  }

  /** Counts `cost`, by default one request. Returns 0 when it is allowed, else the time in ms until it is. */
  take(client: ClientNetwork, nowMs: number, cost = 1): number {
    const waitMs = this.waitMs(client, nowMs, cost)
    if (waitMs > 0) return waitMs
    const { network, site } = client
    this.#networks.add(network, nowMs, cost)
    if (site !== network) this.#sites.add(site, nowMs, cost)
    return 0
  }

  /** The same without counting. */
  waitMs({ network, site }: ClientNetwork, nowMs: number, cost: number): number {
    // First, so that a site above its limit adds no networks, which would evict those of other clients.
    const siteWaitMs = site === network ? 0 : this.#sites.waitMs(site, nowMs, cost)
    return siteWaitMs > 0 ? siteWaitMs : this.#networks.waitMs(network, nowMs, cost)
  }

  /** Number of networks and sites with a bucket. */
  get size(): number {
    return this.#networks.size + this.#sites.size
  }
}

/** Buckets of one size. Above {@link MAX_BUCKETS} the least recently used one is evicted, which only resets its count. */
class Buckets {
  readonly #size: BucketSize
  /** The least recently used first. */
  readonly #buckets = new Map<string, LeakyBucket>()

  constructor(size: BucketSize) {
    this.#size = size
  }

  get size(): number {
    return this.#buckets.size
  }

  waitMs(key: string, nowMs: number, cost: number): number {
    return this.#buckets.get(key)?.waitMs(cost, this.#size, nowMs) ?? 0
  }

  add(key: string, nowMs: number, cost: number): void {
    const bucket = this.#buckets.get(key) ?? new LeakyBucket(nowMs)
    this.#buckets.delete(key)
    const oldest = this.#buckets.keys().next()
    if (this.#buckets.size >= MAX_BUCKETS && !oldest.done) this.#buckets.delete(oldest.value)
    bucket.add(cost, this.#size, nowMs)
    this.#buckets.set(key, bucket)
  }
}

/** A number of requests, multiplied by the factor of the settings. At least one is allowed. */
export const scaledLimit = (count: number, factor: number): number => Math.max(1, Math.round(count * factor))

/** The size of a bucket for a number of requests per minute, which may all arrive at once. */
export function perMinute(count: number, factor: number): BucketSize {
  const burst = scaledLimit(count, factor)
  return { perSecond: burst / 60, burst }
}
