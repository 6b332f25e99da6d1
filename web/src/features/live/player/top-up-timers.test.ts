import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { TopUpTimers, topUpTimes } from './top-up-timers.ts'

const delays = (remainingMs: number) => topUpTimes(remainingMs).map(({ delayMs }) => delayMs)

describe('when the next programmes are requested (docs/product/viewer.md §4)', () => {
  test('8 s, 3 s and 0 s before the end', () => {
    expect(delays(240_000)).toEqual([232_000, 237_000, 240_000])
  })

  test('not before 2 s, 4 s and 6 s, however little is left', () => {
    expect(delays(0)).toEqual([2_000, 4_000, 6_000])
    expect(delays(9_000)).toEqual([2_000, 6_000, 9_000])
    expect(delays(-5_000)).toEqual([2_000, 4_000, 6_000])
  })

  test('after 25 s if the duration is unknown', () => {
    expect(topUpTimes(undefined)).toEqual([{ name: 'no-duration', delayMs: 25_000 }])
  })

  test('in this order for every duration', () => {
    fc.assert(
      fc.property(fc.integer({ min: -60_000, max: 36_000_000 }), (remainingMs) => {
        const [regular = 0, backup = 0, emergency = 0] = delays(remainingMs)
        expect(regular).toBeLessThan(backup)
        expect(backup).toBeLessThanOrEqual(emergency)
      }),
    )
  })
})

describe('the timers', () => {
  beforeEach(() => {
    vi.useFakeTimers()
  })
  afterEach(() => {
    vi.useRealTimers()
  })

  test('request three times for a video, and no longer for the previous one', () => {
    const ask = vi.fn()
    const timers = new TopUpTimers(ask)
    timers.set(5_000)
    timers.set(60_000)
    vi.advanceTimersByTime(51_999)
    expect(ask).not.toHaveBeenCalled()
    vi.advanceTimersByTime(8_001)
    expect(ask).toHaveBeenCalledTimes(3)
    expect(vi.getTimerCount()).toBe(0)
  })

  test('request every 25 s while nothing is on', () => {
    const ask = vi.fn()
    const timers = new TopUpTimers(ask)
    timers.repeat()
    timers.repeat()
    vi.advanceTimersByTime(75_000)
    expect(ask).toHaveBeenCalledTimes(3)
    timers.clear()
    expect(vi.getTimerCount()).toBe(0)
  })
})
