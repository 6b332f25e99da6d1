import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Bucket, rateLimit, slowModeWaitMs, takeToken } from './rate-limit.ts'

const limit = rateLimit(1)

/** Posts at each of the times (ms). Returns the times at which a message was allowed. */
function allowedTimes(times: readonly number[]): number[] {
  let bucket: Bucket | null = null
  return times.filter((at) => {
    const result = takeToken(bucket, at, limit)
    if (result.allowed) bucket = result.bucket
    return result.allowed
  })
}

const instants = fc
  .array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 200 })
  .map((times) => times.toSorted((a, b) => a - b))

describe('takeToken', () => {
  it('allows at most the burst plus the refilled tokens in any time span', () => {
    fc.assert(
      fc.property(instants, (times) => {
        const allowed = allowedTimes(times)
        for (const [i, from] of allowed.entries()) {
          for (const [j, to] of allowed.entries()) {
            if (j < i) continue
            expect(j - i + 1).toBeLessThanOrEqual(limit.burst + ((to - from) / 1000) * limit.perSecond + 1e-6)
          }
        }
      }),
    )
  })

  it('always allows one message a second', () => {
    const times = Array.from({ length: 100 }, (_, i) => i * 1000)
    expect(allowedTimes(times)).toEqual(times)
  })

  it('allows a message after the wait that it returned', () => {
    fc.assert(
      fc.property(instants, (times) => {
        let bucket: Bucket | null = null
        for (const at of times) {
          const result = takeToken(bucket, at, limit)
          if (result.allowed) bucket = result.bucket
          else expect(takeToken(bucket, at + result.retryAfterMs, limit).allowed).toBe(true)
        }
      }),
    )
  })

  it('refills nothing when a clock runs backwards', () => {
    const empty = { tokens: 0, postedAtMs: 10_000 }
    expect(takeToken(empty, 0, limit)).toEqual({ allowed: false, retryAfterMs: 1000 })
  })

  it('scales with the factor, and allows one message even with a tiny factor', () => {
    expect(rateLimit(5)).toEqual({ burst: 50, perSecond: 5 })
    expect(takeToken(null, 0, rateLimit(0.001)).allowed).toBe(true)
  })
})

describe('slowModeWaitMs', () => {
  it('counts from the last message', () => {
    const bucket = { tokens: 5, postedAtMs: 1000 }
    expect(slowModeWaitMs(bucket, 3000, 10)).toBe(8000)
    expect(slowModeWaitMs(bucket, 11_000, 10)).toBe(0)
    expect(slowModeWaitMs(bucket, 3000, 0)).toBe(0)
    expect(slowModeWaitMs(null, 3000, 10)).toBe(0)
  })
})
