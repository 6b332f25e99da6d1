import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { RecentReactions, SHOWN_MS } from './recent-reactions.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

it('an own reaction counts at once, and only once when the sum with it arrives', () => {
  const recent = new RecentReactions()
  recent.react('🔥', () => true)
  recent.react('🔥', () => true)
  expect(recent.counts.get()).toEqual({ '🔥': 2 })
  // The sum was sent before the second one was counted there.
  recent.receive({ '🔥': 4, '👏': 1 })
  expect(recent.counts.get()).toEqual({ '🔥': 4, '👏': 1 })
  recent.receive({ '🔥': 1 })
  expect(recent.counts.get()).toEqual({ '🔥': 5, '👏': 1 })
})

it('an own reaction that is not in the first sum stays counted until it is in one', () => {
  const recent = new RecentReactions()
  recent.react('👏', () => true)
  recent.receive({ '🔥': 3 })
  expect(recent.counts.get()).toEqual({ '🔥': 3, '👏': 1 })
  recent.receive({ '👏': 2 })
  expect(recent.counts.get()).toEqual({ '🔥': 3, '👏': 2 })
})

it('reactions are counted for ten seconds', () => {
  const recent = new RecentReactions()
  recent.receive({ '🎉': 5 })
  vi.advanceTimersByTime(4_000)
  recent.react('🎉', () => true)
  vi.advanceTimersByTime(SHOWN_MS - 4_001)
  expect(recent.counts.get()).toEqual({ '🎉': 6 })
  vi.advanceTimersByTime(1)
  expect(recent.counts.get()).toEqual({ '🎉': 1 })
  vi.advanceTimersByTime(4_000)
  expect(recent.counts.get()).toEqual({})
})

it('sends at most four in a second, and counts none that was not sent', () => {
  const recent = new RecentReactions()
  const sent = vi.fn(() => true)
  for (let press = 0; press < 10; press += 1) recent.react('😮', sent)
  expect(sent).toHaveBeenCalledTimes(4)
  expect(recent.counts.get()).toEqual({ '😮': 4 })
  vi.advanceTimersByTime(1_000)
  recent.react('😮', () => false)
  expect(recent.counts.get()).toEqual({ '😮': 4 })
  recent.react('😮', sent)
  expect(recent.counts.get()).toEqual({ '😮': 5 })
})
