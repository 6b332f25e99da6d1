import { expect, test } from 'vitest'
import { decideFault } from './fault-policy.ts'
import { sourceOf } from './player.ts'
import { topUpTimes } from './top-up-timers.ts'

test.each(['invalid-source', 'not-found', 'not-embeddable'] as const)('%s is reported at once', (fault) => {
  expect(decideFault(fault, 'youtube', 0)).toEqual({
    retryAfterMs: undefined,
    report: true,
    unreachable: false,
  })
})

test('`unplayable` is retried once, then reported', () => {
  expect(decideFault('unplayable', 'youtube', 0)).toMatchObject({ retryAfterMs: 1_000, report: false })
  expect(decideFault('unplayable', 'youtube', 1)).toMatchObject({ retryAfterMs: undefined, report: true })
})

test.each(['unreachable', 'not-identified'] as const)(
  '%s is never reported and always tried again',
  (fault) => {
    const answers = [0, 1, 2, 3, 40].map((retries) => decideFault(fault, 'html5', retries))
    expect(answers.map(({ report }) => report)).not.toContain(true)
    expect(answers.map(({ retryAfterMs }) => retryAfterMs)).toEqual([1_000, 2_000, 4_000, 8_000, 15_000])
    expect(answers.map(({ unreachable }) => unreachable)).toEqual([false, false, true, true, true])
    expect(decideFault(fault, 'youtube', 0).unreachable).toBe(true)
  },
)

test('the next video is requested 8 s, 3 s and 0 s before the end, but not before 2, 4 and 6 s have passed', () => {
  const delays = (remainingMs: number | undefined) => topUpTimes(remainingMs).map(({ delayMs }) => delayMs)
  expect(delays(100_000)).toEqual([92_000, 97_000, 100_000])
  expect(delays(5_000)).toEqual([2_000, 4_000, 6_000])
  expect(delays(9_000)).toEqual([2_000, 6_000, 9_000])
  expect(delays(undefined)).toEqual([25_000])
})

test('a media URL takes precedence over a YouTube id', () => {
  expect(sourceOf({ mediaUrl: '/a.mp4', youtubeId: 'x' })).toEqual({ kind: 'html5', url: '/a.mp4' })
  expect(sourceOf({ mediaUrl: null, youtubeId: 'x' })).toEqual({ kind: 'youtube', youtubeId: 'x' })
  expect(sourceOf({ mediaUrl: null, youtubeId: null })).toBeUndefined()
})
