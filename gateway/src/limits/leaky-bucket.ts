/** Capacity and drain rate of a bucket, in the counted unit (messages, bytes, requests). */
export interface BucketSize {
  perSecond: number
  burst: number
}

/**
 * A leaky bucket. The size is an argument of each call, so that a bucket can get a larger size later. A clock that jumps
 * back only delays the draining. Not `rate-limiter-flexible`, whose limits are asynchronous: this one runs for every frame.
 */
export class LeakyBucket {
  #level = 0
  #atMs: number

  constructor(nowMs: number) {
    this.#atMs = nowMs
  }

  /** Adds `cost`. False, and nothing is added, when the bucket would overflow. */
  add(cost: number, size: BucketSize, nowMs: number): boolean {
    if (this.waitMs(cost, size, nowMs) > 0) return false
    this.#level += cost
    return true
  }

  /** Time in ms after which `cost` fits; 0 when it fits now. `Infinity` for a cost that never fits. */
  waitMs(cost: number, { perSecond, burst }: BucketSize, nowMs: number): number {
    const elapsedMs = Math.max(0, nowMs - this.#atMs)
    this.#level = Math.max(0, this.#level - (elapsedMs / 1000) * perSecond)
    this.#atMs = nowMs
    const excess = this.#level + cost - burst
    if (excess <= 0) return 0
    return cost > burst ? Number.POSITIVE_INFINITY : (excess / perSecond) * 1000
  }
}
