import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Bucket, rateRule, slowModeWaitMs, takeTurn } from './rate-rule.ts'

const rule = rateRule(1)

/** Writes at each of the times; answers when it was let through. */
function writeAt(times: readonly number[]): number[] {
  let bucket: Bucket | null = null
  return times.filter((at) => {
    const turn = takeTurn(bucket, at, rule)
    if (turn.allowed) bucket = turn.bucket
    return turn.allowed
  })
}

const instants = fc
  .array(fc.integer({ min: 0, max: 60_000 }), { maxLength: 200 })
  .map((times) => times.toSorted((a, b) => a - b))

describe('takeTurn', () => {
  it('never lets more through in any span than the burst and what the span gives back', () => {
    fc.assert(
      fc.property(instants, (times) => {
        const through = writeAt(times)
        for (const [i, from] of through.entries()) {
          for (const [j, to] of through.entries()) {
            if (j < i) continue
            expect(j - i + 1).toBeLessThanOrEqual(rule.burst + ((to - from) / 1000) * rule.perS + 1e-6)
          }
        }
      }),
    )
  })

  it('never refuses who writes once a second', () => {
    const times = Array.from({ length: 100 }, (_, i) => i * 1000)
    expect(writeAt(times)).toEqual(times)
  })

  it('lets through after the pause it asked for', () => {
    fc.assert(
      fc.property(instants, (times) => {
        let bucket: Bucket | null = null
        for (const at of times) {
          const turn = takeTurn(bucket, at, rule)
          if (turn.allowed) bucket = turn.bucket
          else expect(takeTurn(bucket, at + turn.retryAfterMs, rule).allowed).toBe(true)
        }
      }),
    )
  })

  it('gives nothing back when a clock runs backwards', () => {
    const empty = { tokens: 0, postedAtMs: 10_000 }
    expect(takeTurn(empty, 0, rule)).toEqual({ allowed: false, retryAfterMs: 1000 })
  })

  it('multiplies by the factor, and lets one through even when that is tiny', () => {
    expect(rateRule(5)).toEqual({ burst: 50, perS: 5 })
    expect(takeTurn(null, 0, rateRule(0.001)).allowed).toBe(true)
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
