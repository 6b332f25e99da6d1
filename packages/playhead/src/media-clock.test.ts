import fc from 'fast-check'
import { expect, test } from 'vitest'
import { atNewRate, medianPosition, type Reading, steadyPosition, withReading } from './media-clock.ts'

/** Readings every `pollMs` of a player that refreshes its position only every `refreshMs`. */
function watch(refreshMs: number, pollMs: number, rate: number, phaseMs: number) {
  let readings: Reading[] = []
  let truthMs = 0
  for (let atMs = 0; atMs <= 3_000; atMs += pollMs) {
    truthMs = 10_000 + atMs * rate
    const shownAtMs = Math.floor((atMs + phaseMs) / refreshMs) * refreshMs - phaseMs
    readings = withReading(readings, { positionMs: 10_000 + shownAtMs * rate, atMs, rate })
  }
  return { readings, truthMs }
}

test('coarse readings give the true position within the uncertainty', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 1_000 }),
      fc.integer({ min: 20, max: 100 }),
      fc.constantFrom(0.95, 1, 1.05),
      fc.nat(1_000),
      (refreshMs, pollMs, rate, phaseMs) => {
        const { readings, truthMs } = watch(refreshMs, pollMs, rate, phaseMs)
        const { positionMs, uncertaintyMs } = steadyPosition(readings)!
        expect(positionMs).toBeLessThanOrEqual(truthMs + 1e-6)
        expect(truthMs - positionMs).toBeLessThanOrEqual(2 * uncertaintyMs * rate + 1e-6)
      },
    ),
  )
})

test('there is no position without enough readings', () => {
  expect(steadyPosition([])).toBeUndefined()
  expect(steadyPosition([{ positionMs: 1, atMs: 1, rate: 1 }])).toBeUndefined()
})

test('readings stay usable after a change of the rate', () => {
  const { readings, truthMs } = watch(250, 50, 1, 30)
  const before = steadyPosition(readings)!
  const changed = atNewRate(readings, 3_000, 1.05)
  expect(steadyPosition(changed)!.positionMs).toBeCloseTo(before.positionMs)
  const later = withReading(changed, { positionMs: 0, atMs: 3_400, rate: 1.05 })
  const expectedMs = truthMs + 400 * 1.05
  expect(Math.abs(steadyPosition(later)!.positionMs - expectedMs)).toBeLessThanOrEqual(50)
})

test('a single outlier does not change the median', () => {
  const readings = [0, 40, 80, 120, 160].map((atMs) => ({ positionMs: 5_000 + atMs, atMs, rate: 1 }))
  const odd = { positionMs: 9_000, atMs: 170, rate: 1 }
  expect(medianPosition([...readings, odd], 200)).toEqual({ positionMs: 5_200, uncertaintyMs: 0 })
  expect(medianPosition([], 200)).toBeUndefined()
})

test('noisy readings are as uncertain as they are far apart', () => {
  const noiseMs = [-9, 6, 0, -3, 9, -6, 3]
  const readings = noiseMs.map((noise, index) => ({
    positionMs: index * 40 + noise,
    atMs: index * 40,
    rate: 1,
  }))
  expect(medianPosition(readings, 300)).toEqual({ positionMs: 300, uncertaintyMs: 12 })
  expect(medianPosition(readings.slice(0, 1), 300)).toEqual({ positionMs: 291, uncertaintyMs: 6 })
})
