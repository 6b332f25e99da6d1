import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { firstPositionS } from './player-range.ts'
import { RangeGuard } from './range-guard.ts'

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
})
afterEach(() => {
  vi.useRealTimers()
})

/** A player that plays from `fromS`, guarded by a range. */
function guarded(range: { startAtMs: number; endAtMs: number | null }, fromS = range.startAtMs / 1000) {
  const at = { positionS: fromS, sinceMs: Date.now(), isPlaying: true }
  const positionS = () => at.positionS + (at.isPlaying ? (Date.now() - at.sinceMs) / 1000 : 0)
  const go = (to: number, isPlaying: boolean) =>
    Object.assign(at, { positionS: to, sinceMs: Date.now(), isPlaying })
  const player = {
    isPlaying: () => at.isPlaying,
    positionS,
    pause: () => void go(positionS(), false),
    seek: (to: number) => void go(to, at.isPlaying),
  }
  const onEnd = vi.fn()
  const guard = new RangeGuard(player, range, onEnd)
  const play = () => {
    go(positionS(), true)
    guard.onPlay()
  }
  return { guard, onEnd, play, positionS, isPlaying: player.isPlaying, seek: player.seek }
}

describe('a guarded player', () => {
  it('is paused at the end of its range, and reports the end once', () => {
    fc.assert(
      fc.property(fc.nat(600_000), fc.integer({ min: 1000, max: 600_000 }), (startAtMs, lengthMs) => {
        const endAtMs = startAtMs + lengthMs
        const { guard, onEnd, positionS, isPlaying } = guarded({ startAtMs, endAtMs })
        vi.advanceTimersByTime(lengthMs - 1)
        expect(onEnd).not.toHaveBeenCalled()
        vi.advanceTimersByTime(60_000)
        expect(onEnd).toHaveBeenCalledOnce()
        expect(isPlaying()).toBe(false)
        expect(positionS() * 1000 - endAtMs).toBeLessThanOrEqual(51)
        guard.destroy()
      }),
      { numRuns: 50 },
    )
  })

  it('plays the range again when it is played at its end', () => {
    const { guard, onEnd, play, positionS } = guarded({ startAtMs: 5000, endAtMs: 8000 })
    vi.advanceTimersByTime(4000)
    expect(guard.hasEnded).toBe(true)
    play()
    expect(positionS()).toBe(5)
    vi.advanceTimersByTime(4000)
    expect(onEnd).toHaveBeenCalledTimes(2)
  })

  it('continues where the viewer sought to after the end', () => {
    const { play, seek, positionS } = guarded({ startAtMs: 5000, endAtMs: 8000 })
    vi.advanceTimersByTime(4000)
    seek(6)
    play()
    expect(positionS()).toBe(6)
  })

  it('plays to the end of the media without an end', () => {
    const { onEnd, isPlaying } = guarded({ startAtMs: 5000, endAtMs: null })
    vi.advanceTimersByTime(3_600_000)
    expect(onEnd).not.toHaveBeenCalled()
    expect(isPlaying()).toBe(true)
  })
})

describe('the first position', () => {
  it.each([
    ['the start of the range', undefined, 5],
    ['the position to resume at', 6.5, 6.5],
    ['the start, if the position is before it', 2, 5],
    ['the start, if the position is at the end', 8, 5],
  ])('is %s', (_what, resumeS, expected) => {
    expect(firstPositionS({ startAtMs: 5000, endAtMs: 8000 }, resumeS)).toBe(expected)
  })
})
