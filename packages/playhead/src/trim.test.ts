import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { playedMs, playedRange, type TrimmedMedia } from './trim.ts'

const media = fc
  .record({
    durationMs: fc.integer({ min: 1, max: 100_000 }),
    startAtMs: fc.integer({ min: 0, max: 120_000 }),
    lengthMs: fc.option(fc.integer({ min: 1000, max: 120_000 })),
  })
  .map(
    ({ durationMs, startAtMs, lengthMs }): TrimmedMedia => ({
      durationMs,
      startAtMs,
      endAtMs: lengthMs === null ? null : startAtMs + lengthMs,
    }),
  )

describe('the played part of a video', () => {
  it.each([
    ['the whole media without trim points', 60_000, 0, null, [0, 60_000]],
    ['from one trim point to the other', 60_000, 5000, 50_000, [5000, 50_000]],
    ['to the end of the media', 60_000, 5000, null, [5000, 60_000]],
    ['at most to the end of the media', 60_000, 5000, 90_000, [5000, 60_000]],
    ['the last second, if the media ends before the start', 60_000, 70_000, 90_000, [59_000, 60_000]],
    ['all of media shorter than a second', 400, 5000, null, [0, 400]],
  ])('is %s', (_what, durationMs, startAtMs, endAtMs, [fromMs, toMs]) => {
    expect(playedRange({ durationMs, startAtMs, endAtMs })).toEqual({ fromMs, toMs })
  })

  it('lies in the media and lasts at least a second, or as long as the media', () => {
    fc.assert(
      fc.property(media, (given) => {
        const { fromMs, toMs } = playedRange(given)
        expect(fromMs).toBeGreaterThanOrEqual(0)
        expect(toMs).toBeLessThanOrEqual(given.durationMs)
        expect(playedMs(given)).toBeGreaterThanOrEqual(Math.min(1000, given.durationMs))
      }),
    )
  })

  it('lies exactly between trim points within the media', () => {
    fc.assert(
      fc.property(media, (given) => {
        fc.pre((given.endAtMs ?? given.startAtMs + 1000) <= given.durationMs)
        const range = { fromMs: given.startAtMs, toMs: given.endAtMs ?? given.durationMs }
        expect(playedRange(given)).toEqual(range)
      }),
    )
  })
})
