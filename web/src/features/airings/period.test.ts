import { describe, expect, it } from 'vitest'
import { periodOf, periodOfDates } from './period.ts'

const local = (...parts: [number, number, number, number?]) => new Date(...parts).getTime()
const NOW_MS = local(2026, 2, 5, 13)

describe('periodOf', () => {
  it('has whole days, today included', () => {
    expect(periodOf('7 days', NOW_MS)).toEqual({ fromMs: local(2026, 1, 27), toMs: local(2026, 2, 6) })
    expect(periodOf('this month', NOW_MS)).toEqual({ fromMs: local(2026, 2, 1), toMs: local(2026, 2, 6) })
    expect(periodOf('last month', NOW_MS)).toEqual({ fromMs: local(2026, 1, 1), toMs: local(2026, 2, 1) })
  })
})

describe('periodOfDates', () => {
  it('includes both dates', () => {
    const day = { fromMs: local(2026, 1, 28), toMs: local(2026, 2, 1) }
    expect(periodOfDates('2026-02-28', '2026-02-28')).toEqual(day)
  })

  it.each([
    ['', '2026-02-28', 'Enter both dates.'],
    ['2026-02-28', '2026-02-27', 'The last date is before the first one.'],
    ['2026-01-01', '2026-06-01', 'At most 93 days at once.'],
  ])('refuses %s to %s', (from, to, problem) => {
    expect(periodOfDates(from, to)).toEqual({ problem })
  })
})
