import { describe, expect, it } from 'vitest'
import {
  currentHourMs,
  dayLabel,
  dayStartMs,
  daysAheadOf,
  GUIDE_DAYS,
  GUIDE_HOURS,
  gridHours,
  HOUR_MS,
  isLive,
  isOnAir,
} from './guide-time.ts'

const START_MS = Date.UTC(2026, 10, 23, 21)
const PROGRAMME = { startsAtMs: START_MS, endsAtMs: START_MS + 200_000 }

it('the guide has 24 hours, from the current one', () => {
  expect(GUIDE_HOURS).toBe(24)
  for (const nowMs of [START_MS, START_MS + 1, START_MS + HOUR_MS - 1]) {
    const fromMs = currentHourMs(nowMs)
    expect(new Date(fromMs).getMinutes()).toBe(0)
    expect(nowMs - fromMs).toBeLessThan(HOUR_MS)
    expect(fromMs).toBeLessThanOrEqual(nowMs)
  }
})

describe('a programme', () => {
  it('is on the air from its start to its end, which it excludes', () => {
    const at = (ms: number) => isOnAir(PROGRAMME, START_MS + ms)
    expect([at(-1), at(0), at(199_999), at(200_000)]).toEqual([false, true, true, false])
  })

  it('is live from 60 s before its start', () => {
    const at = (ms: number) => isLive(PROGRAMME, START_MS + ms)
    expect([at(-60_001), at(-60_000), at(0), at(199_999), at(200_000)]).toEqual([
      false,
      true,
      true,
      true,
      false,
    ])
  })
})

describe('the day picker', () => {
  const nowMs = new Date(2026, 10, 27, 21, 40).getTime()

  it('has today from the current hour, and the two days after it from midnight', () => {
    const starts = Array.from({ length: GUIDE_DAYS }, (_, ahead) => new Date(dayStartMs(nowMs, ahead)))
    expect(starts).toEqual([new Date(2026, 10, 27, 21), new Date(2026, 10, 28), new Date(2026, 10, 29)])
    expect([0, 1, 2].map((ahead) => dayLabel(nowMs, ahead))).toEqual([
      'Today',
      'Tomorrow',
      expect.stringContaining('29'),
    ])
  })

  it('knows the day of an hour that was scrolled to, also at its edges', () => {
    const at = (day: number, hours: number, minutes = 0) => new Date(2026, 10, day, hours, minutes).getTime()
    const ahead = [at(27, 21), at(27, 23, 59), at(28, 0), at(28, 23, 59), at(29, 0)].map((ms) =>
      daysAheadOf(nowMs, ms),
    )
    expect(ahead).toEqual([0, 0, 1, 1, 2])
  })
})

it('what is outside of the grid is at its edge', () => {
  const hours = [-1, 0, 0.5, 24, 30].map((hour) => gridHours(START_MS, START_MS + hour * HOUR_MS))
  expect(hours).toEqual([0, 0, 0.5, 24, 24])
})
