import {
  type PlayerCapabilities,
  YOUTUBE_CAPABILITIES,
  YOUTUBE_COARSE_CAPABILITIES,
  YOUTUBE_FINE_CAPABILITIES,
} from '@looptide/playhead/player-capabilities'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tryRates } from './youtube-rates.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** A frame that accepts only the rates of `accepted`, and plays at rate 1 otherwise. */
function frameWith(accepted: readonly number[], listed: readonly number[]) {
  let rate = 1
  return {
    setPlaybackRate: (wanted: number) => {
      rate = accepted.includes(wanted) ? wanted : 1
    },
    getPlaybackRate: () => rate,
    getAvailablePlaybackRates: () => [...listed],
  }
}

function found(frame: ReturnType<typeof frameWith>, cancelled = () => false): PlayerCapabilities | undefined {
  let capabilities: PlayerCapabilities | undefined
  tryRates(frame, cancelled, (all) => {
    capabilities = all
  })
  vi.runAllTimers()
  return capabilities
}

test.each([
  ['the trial rate', [1.05], [1], YOUTUBE_FINE_CAPABILITIES],
  ['the rates of the menu', [], [0.75, 1, 1.25], YOUTUBE_COARSE_CAPABILITIES],
  ['one rate', [], [1], YOUTUBE_CAPABILITIES],
])('finds what a frame can do that accepts %s', (_what, accepted, listed, capabilities) => {
  expect(found(frameWith(accepted, listed))).toBe(capabilities)
})

test('does not call back after it was cancelled', () => {
  expect(found(frameWith([1.05], [1]), () => true)).toBeUndefined()
})
