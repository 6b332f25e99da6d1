import fc from 'fast-check'
import { expect, test } from 'vitest'
import { agreedDuration, type DurationReport } from './agreed-duration.ts'

const reports = fc.array(
  fc.record({
    network: fc.constantFrom(...'abcdefghij'),
    durationMs: fc.integer({ min: 10_000, max: 14_000 }),
  }),
  { maxLength: 30 },
)

/** The newest report of each network. */
const votesOf = (all: readonly DurationReport[]): number[] => [
  ...new Map(all.toReversed().map(({ network, durationMs }) => [network, durationMs])).values(),
]

test('an agreed duration is reported by three networks and more than half of all, within a second', () => {
  fc.assert(
    fc.property(reports, (all) => {
      const agreed = agreedDuration(all)
      if (agreed === null) return
      const votes = votesOf(all)
      const near = votes.filter((ms) => Math.abs(ms - agreed) <= 1000)
      expect(near.length).toBeGreaterThanOrEqual(3)
      expect(near.length * 2).toBeGreaterThan(votes.length)
      expect(votes).toContain(agreed)
    }),
  )
})

test('more than half of the networks within a second agree, whatever the others report', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 3, max: 12 }),
      fc.integer({ min: 10_000, max: 1_000_000 }),
      fc.array(fc.integer({ min: 10_000, max: 1_200_000 }), { maxLength: 11 }),
      (count, base, others) => {
        const honest = Array.from({ length: count }, (_, n) => ({
          network: `honest-${n}`,
          durationMs: base + n * 80,
        }))
        const dissent = others
          .slice(0, count - 1)
          .map((durationMs, n) => ({ network: `other-${n}`, durationMs }))
        expect(agreedDuration([...dissent, ...honest])).not.toBeNull()
      },
    ),
  )
})

test('repeated reports of one network count once', () => {
  const all = Array.from({ length: 50 }, () => ({ network: 'a', durationMs: 60_000 }))
  expect(agreedDuration(all)).toBeNull()
})
