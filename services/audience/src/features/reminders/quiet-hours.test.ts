import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { quietUntil, requireQuietHours } from './quiet-hours.ts'

const at = (text: string): number => Date.parse(text)
const BERLIN = 'Europe/Berlin'
const night = { from: '22:00', to: '07:00', timeZone: BERLIN }

describe('quiet hours', () => {
  it('are those of the time zone of the account, and may span midnight', () => {
    expect(quietUntil(night, at('2026-11-28T20:59:59Z'))).toBeUndefined()
    expect(quietUntil(night, at('2026-11-28T21:00:00Z'))).toBe(at('2026-11-29T06:00:00Z'))
    expect(quietUntil(night, at('2026-11-29T05:59:59Z'))).toBe(at('2026-11-29T06:00:00Z'))
    expect(quietUntil(night, at('2026-11-29T06:00:00Z'))).toBeUndefined()
    expect(quietUntil({ ...night, from: '13:00', to: '14:00' }, at('2026-11-28T12:30:00Z'))).toBe(
      at('2026-11-28T13:00:00Z'),
    )
    expect(quietUntil(null, at('2026-11-28T23:00:00Z'))).toBeUndefined()
  })

  it('end by the clock in the nights in which it changes', () => {
    expect(quietUntil(night, at('2026-03-28T22:00:00Z'))).toBe(at('2026-03-29T05:00:00Z'))
    expect(quietUntil(night, at('2026-10-24T22:00:00Z'))).toBe(at('2026-10-25T06:00:00Z'))
    // 02:30 does not exist in the night of spring.
    const toGap = { ...night, to: '02:30' }
    expect(quietUntil(toGap, at('2026-03-29T00:30:00Z'))).toBe(at('2026-03-29T01:00:00Z'))
  })

  it('always end within a day and a clock change, at a time that is not quiet', () => {
    const minute = fc
      .tuple(fc.nat(23), fc.nat(59))
      .map(([hours, minutes]) => [hours, minutes].map((part) => String(part).padStart(2, '0')).join(':'))
    const zone = fc.constantFrom(BERLIN, 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe', 'UTC')
    const instant = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-12-31T00:00:00Z') })
    fc.assert(
      fc.property(minute, minute, zone, instant, (from, to, timeZone, nowMs) => {
        fc.pre(from !== to)
        const untilMs = quietUntil({ from, to, timeZone }, nowMs)
        if (untilMs === undefined) return
        expect(untilMs).toBeGreaterThan(nowMs)
        expect(untilMs - nowMs).toBeLessThanOrEqual(25 * 3_600_000)
      }),
    )
  })

  it.each([
    { ...night, timeZone: 'Mars/Olympus' },
    { ...night, timeZone: '+02:00' },
    { ...night, to: '22:00' },
  ])('%j are refused', (hours) => {
    expect(() => requireQuietHours(hours)).toThrow(expect.objectContaining({ code: 'validation_failed' }))
  })
})
