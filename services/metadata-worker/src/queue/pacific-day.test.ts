import fc from 'fast-check'
import { expect, it } from 'vitest'
import { nextPacificMidnight, pacificDay } from './pacific-day.ts'

it.each([
  ['2026-11-20T07:59:59Z', '2026-11-19', '2026-11-20T08:00:00Z'],
  ['2026-11-20T08:00:00Z', '2026-11-20', '2026-11-21T08:00:00Z'],
  ['2026-07-01T12:00:00Z', '2026-07-01', '2026-07-02T07:00:00Z'],
  // 23 hours: clocks go forward at 10:00 UTC.
  ['2026-03-08T08:30:00Z', '2026-03-08', '2026-03-09T07:00:00Z'],
  // 25 hours: clocks go back at 09:00 UTC.
  ['2026-11-01T07:30:00Z', '2026-11-01', '2026-11-02T08:00:00Z'],
])('at %s it is %s until %s', (now, day, until) => {
  expect(pacificDay(Date.parse(now))).toBe(day)
  expect(nextPacificMidnight(Date.parse(now))).toBe(Date.parse(until))
})

it('always returns the first moment of the next day', () => {
  const from = Date.parse('2024-01-01T00:00:00Z')
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 3 * 365 * 86_400_000 }), (after) => {
      const now = from + after
      const midnight = nextPacificMidnight(now)
      expect(midnight).toBeGreaterThan(now)
      expect(pacificDay(midnight)).not.toBe(pacificDay(now))
      expect(pacificDay(midnight - 1)).toBe(pacificDay(now))
    }),
  )
})
