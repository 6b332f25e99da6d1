import { YOUTUBE_COARSE_CAPABILITIES } from '@looptide/playhead/player-capabilities'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { FakePlayer } from './fake-player.ts'
import { SyncLoop } from './sync-loop.ts'

const LATE_MS = 57
const STEP_MS = 250

beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('document', { hidden: false })
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

class CoarsePlayer extends FakePlayer {
  override capabilities() {
    return YOUTUBE_COARSE_CAPABILITIES
  }
}

/** A player that has begun LATE_MS late, its sync loop, and a step of it after STEP_MS. */
function begin(muted = true) {
  const player = new CoarsePlayer('youtube', () => {})
  const loop = new SyncLoop(player)
  const startsAtMs = performance.now()
  player.load({ kind: 'youtube', youtubeId: 'first' }, 0)
  loop.begin()
  player.begin(LATE_MS)
  const step = () => {
    vi.advanceTimersByTime(STEP_MS)
    const localNowMs = performance.now()
    return loop.step({
      mediaZeroAtMs: startsAtMs,
      endsAtMs: startsAtMs + 200_000,
      muted,
      serverAt: (localMs) => localMs,
      localNowMs,
    })
  }
  return { player, loop, step }
}

/** Steps until the player is at another rate than 1, or until `steps` are over. */
function untilNudged({ player, step }: ReturnType<typeof begin>, steps = 40): void {
  for (let index = 0; index < steps && player.rate === 1; index += 1) step()
}

test('a nudge with coarse rates ends by itself, and corrects the drift and the expected jump', () => {
  const started = begin()
  untilNudged(started)
  expect(started.player.rate).toBe(1.25)
  vi.advanceTimersByTime(400)
  expect(started.player.rate).toBe(1)
  const reports = Array.from({ length: 40 }, started.step)
  // This player does not jump.
  expect(reports.at(-1)?.driftMs).toBeCloseTo(24)
  expect(reports.at(-1)).toMatchObject({ rate: 1, phase: 'steady', rateChanges: 2, seeks: 0 })
})

test('the next video begins at rate 1', () => {
  const started = begin()
  untilNudged(started)
  started.loop.begin()
  expect(started.player.rate).toBe(1)
  vi.advanceTimersByTime(10_000)
  expect(started.player.calls.some((call) => call.startsWith('seek'))).toBe(false)
})

test('a player is left alone once its loop has ended', () => {
  const started = begin()
  untilNudged(started)
  started.loop.end()
  const setRate = vi.spyOn(started.player, 'setRate')
  vi.advanceTimersByTime(10_000)
  expect(setRate).not.toHaveBeenCalled()
})

test('there is no nudge in a hidden page, whose timers are late', () => {
  vi.stubGlobal('document', { hidden: true })
  const started = begin()
  untilNudged(started)
  expect(started.player.rate).toBe(1)
})

test('with sound it is nudged from 40 ms on', () => {
  const started = begin(false)
  untilNudged(started)
  expect(started.player.rate).toBe(1.25)
})
