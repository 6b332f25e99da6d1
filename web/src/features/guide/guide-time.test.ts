import { describe, expect, it } from 'vitest'
import { currentHourMs, GUIDE_HOURS, HOUR_MS, isLive, isOnAir } from './guide-time.ts'

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
