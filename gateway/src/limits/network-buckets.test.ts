import { clientNetworkOf } from '@looptide/service-kit/limits/client-network'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LeakyBucket } from './leaky-bucket.ts'
import { NetworkBuckets, perMinute } from './network-buckets.ts'

const count = (buckets: NetworkBuckets, ips: readonly string[], nowMs = 0): number =>
  ips.filter((ip) => buckets.take(clientNetworkOf(ip), nowMs) === 0).length

describe('a bucket', () => {
  it('never allows more than its burst and what drains in the elapsed time, for any clock', () => {
    const step = fc.record({ cost: fc.integer({ min: 1, max: 5 }), ms: fc.integer({ min: -500, max: 500 }) })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const size = { perSecond: 10, burst: 20 }
        const bucket = new LeakyBucket(0)
        let [nowMs, forwardMs, allowed] = [0, 0, 0]
        for (const { cost, ms } of steps) {
          nowMs += ms
          forwardMs += Math.max(0, ms)
          if (bucket.add(cost, size, nowMs)) allowed += cost
          expect(allowed).toBeLessThanOrEqual(size.burst + (forwardMs / 1000) * size.perSecond + 1e-6)
        }
      }),
    )
  })

  it('returns the time after which a refused cost is allowed', () => {
    const size = { perSecond: 10, burst: 20 }
    const bucket = new LeakyBucket(0)
    expect(bucket.add(20, size, 0)).toBe(true)
    expect(bucket.waitMs(5, size, 0)).toBe(500)
    expect(bucket.add(5, size, 499)).toBe(false)
    expect(bucket.add(5, size, 500)).toBe(true)
    expect(bucket.waitMs(21, size, 0)).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('network buckets', () => {
  it('count any cost, for the network and its site, and nothing that is refused', () => {
    const buckets = new NetworkBuckets({ perSecond: 10, burst: 100 })
    const take = (ip: string, cost: number): number => buckets.take(clientNetworkOf(ip), 0, cost)
    expect(take('2001:db8:1:1::1', 90)).toBe(0)
    expect(buckets.waitMs(clientNetworkOf('2001:db8:1:1::2'), 0, 20)).toBe(1000)
    expect(take('2001:db8:1:1::2', 20)).toBe(1000)
    expect(take('2001:db8:1:1::2', 10)).toBe(0)
    for (const subnet of [2, 3, 4]) expect(take(`2001:db8:1:${subnet}::1`, 100)).toBe(0)
    expect(take('2001:db8:1:5::1', 1)).toBeGreaterThan(0)
  })

  it('count all notations of an IPv4 address as one', () => {
    const buckets = new NetworkBuckets({ perSecond: 0, burst: 3 })
    expect(count(buckets, ['192.0.2.1', '::ffff:192.0.2.1', '::ffff:c000:201', '192.0.2.1'])).toBe(3)
    expect(count(buckets, ['192.0.2.2'])).toBe(1)
  })

  it('count an IPv6 /64 as one network, and a /48 against a limit four times as large', () => {
    const inOne64 = Array.from({ length: 300 }, (_, n) => `2001:db8:1:1::${n.toString(16)}`)
    expect(count(new NetworkBuckets({ perSecond: 0, burst: 10 }), inOne64)).toBe(10)
    const inOne48 = Array.from({ length: 300 }, (_, n) => `2001:db8:1:${n.toString(16)}::1`)
    expect(count(new NetworkBuckets({ perSecond: 0, burst: 10 }), inOne48)).toBe(40)
  })

  it('keep at most 50,000 networks', () => {
    const buckets = new NetworkBuckets({ perSecond: 0, burst: 1 })
    for (let n = 0; n < 60_000; n += 1) buckets.take({ network: `n${n}`, site: `n${n}` }, 0)
    expect(buckets.size).toBe(50_000)
  })

  it('allow at least one request, at any factor', () => {
    expect(perMinute(60, 0.001)).toEqual({ perSecond: 1 / 60, burst: 1 })
  })
})
