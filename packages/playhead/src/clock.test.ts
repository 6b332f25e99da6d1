import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type ClockSample, estimateOffset, keepSamples } from './clock.ts'

/** Samples of a server whose clock is `offsetMs` ahead, with the given delays (ms) of requests and responses. */
function samplesOf(offsetMs: number, delays: readonly (readonly [number, number])[]): ClockSample[] {
  return delays.map(([thereMs, backMs], index) => {
    const sentAtMs = 1_000_000 + index * 1_000
    return {
      sentAtMs,
      serverNowMs: Math.round(sentAtMs + thereMs + offsetMs),
      receivedAtMs: sentAtMs + thereMs + backMs,
    }
  })
}

const delays = fc.array(fc.tuple(fc.nat(900), fc.nat(900)), { minLength: 1, maxLength: 12 })

test('the true offset lies within the stated uncertainty, for any asymmetry of the delays', () => {
  fc.assert(
    fc.property(fc.integer({ min: -1e9, max: 1e9 }), delays, (offsetMs, pairs) => {
      const estimate = estimateOffset(samplesOf(offsetMs, pairs))!
      expect(Math.abs(estimate.offsetMs - offsetMs)).toBeLessThanOrEqual(estimate.uncertaintyMs + 1e-6)
      expect(estimate.samples).toBe(pairs.length)
    }),
  )
})

test('the uncertainty is at most that of the sample with the shortest round trip', () => {
  fc.assert(
    fc.property(delays, (pairs) => {
      const estimate = estimateOffset(samplesOf(5_000, pairs))!
      const best = Math.min(...pairs.map(([there, back]) => there + back))
      expect(estimate.roundTripMs).toBe(best)
      // Half of the round trip, the rounding error, and the possible drift of the clocks between the samples.
      expect(estimate.uncertaintyMs).toBeLessThanOrEqual(best / 2 + 0.5 + pairs.length * 0.1 + 1.2)
    }),
  )
})

test('samples from before a jump of the server clock are ignored', () => {
  const before = samplesOf(0, [
    [5, 5],
    [6, 6],
  ])
  const after = samplesOf(3_000, [[20, 20]]).map((sample) => ({
    sentAtMs: sample.sentAtMs + 60_000,
    serverNowMs: sample.serverNowMs + 60_000,
    receivedAtMs: sample.receivedAtMs + 60_000,
  }))
  const estimate = estimateOffset([...before, ...after])!
  expect(estimate.samples).toBe(1)
  expect(Math.abs(estimate.offsetMs - 3_000)).toBeLessThanOrEqual(estimate.uncertaintyMs)
})

test('without a usable sample there is no estimate', () => {
  expect(estimateOffset([])).toBeUndefined()
  expect(estimateOffset([{ sentAtMs: 10, serverNowMs: 10, receivedAtMs: 5 }])).toBeUndefined()
  expect(estimateOffset([{ sentAtMs: 0, serverNowMs: Number.NaN, receivedAtMs: 5 }])).toBeUndefined()
})

test('the newest samples and the one with the shortest round trip are kept', () => {
  const samples = samplesOf(0, [[1, 1], ...Array.from({ length: 30 }, () => [50, 50] as const)])
  const kept = keepSamples(samples, 4)
  expect(kept).toHaveLength(5)
  expect(kept).toContain(samples[0])
  expect(kept).toContain(samples.at(-1))
})
