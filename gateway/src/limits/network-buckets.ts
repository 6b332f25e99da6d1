import type { ClientNetwork } from '@looptide/service-kit/http/client-network'
import { type BucketSize, LeakyBucket } from './leaky-bucket.ts'

/** Limit of a site (IPv6 /48), as a multiple of the limit of one of its networks (/64). */
export const SITE_FACTOR = 4

/** Largest number of buckets. The oldest is evicted, which only resets its count. */
const MAX_NETWORKS = 50_000

/**
 * One bucket for each client network and a larger one for each IPv6 /48, in bounded memory. Not `lru-cache`, which would
 * allocate the largest number at once.
 */
export class NetworkBuckets {
  readonly #network: BucketSize
  readonly #site: BucketSize
  readonly #buckets = new Map<string, LeakyBucket>()

  constructor(size: BucketSize) {
    this.#network = size
    this.#site = { perSecond: size.perSecond * SITE_FACTOR, burst: size.burst * SITE_FACTOR }
  }

  /** Counts one request. Returns 0 when it is allowed, else the time in ms until the next one is. */
  take({ network, site }: ClientNetwork, nowMs: number): number {
    const own = this.#bucket(network, nowMs)
    const ownWaitMs = own.waitMs(1, this.#network, nowMs)
    if (ownWaitMs > 0) return ownWaitMs
    if (site !== network) {
      const shared = this.#bucket(site, nowMs)
      const sharedWaitMs = shared.waitMs(1, this.#site, nowMs)
      if (sharedWaitMs > 0) return sharedWaitMs
      shared.add(1, this.#site, nowMs)
    }
    own.add(1, this.#network, nowMs)
    return 0
  }

  /** Number of networks and sites with a bucket. */
  get size(): number {
    return this.#buckets.size
  }

  #bucket(key: string, nowMs: number): LeakyBucket {
    const known = this.#buckets.get(key)
    if (known !== undefined) return known
    const oldest = this.#buckets.keys().next()
    if (this.#buckets.size >= MAX_NETWORKS && !oldest.done) this.#buckets.delete(oldest.value)
    const bucket = new LeakyBucket(nowMs)
    this.#buckets.set(key, bucket)
    return bucket
  }
}

/** The size of a bucket for a number of requests per minute, which may all arrive at once. At least one is allowed. */
export function perMinute(count: number, factor: number): BucketSize {
  const burst = Math.max(1, Math.round(count * factor))
  return { perSecond: burst / 60, burst }
}
