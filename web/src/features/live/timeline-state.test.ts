import type { NowState } from '@looptide/contracts/http/channels'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { newerTimeline, type Timeline } from './timeline-state.ts'

const stateArbitrary: fc.Arbitrary<NowState> = fc.record({
  channelId: fc.constant('default'),
  status: fc.constant('live' as const),
  timelineVersion: fc.integer({ min: 1, max: 5 }),
  serverNowMs: fc.integer({ min: 0, max: 100 }),
  programmes: fc.constant([]),
})

it('keeps the newest state, in any order of arrival', () => {
  fc.assert(
    fc.property(fc.array(stateArbitrary, { minLength: 1 }), (states) => {
      const end = states.reduce<Timeline | undefined>(newerTimeline, undefined)
      const newest = states.toSorted(
        (a, b) => b.timelineVersion - a.timelineVersion || b.serverNowMs - a.serverNowMs,
      )[0]
      expect(end?.timelineVersion).toBe(newest?.timelineVersion)
      expect(end?.serverNowMs).toBe(newest?.serverNowMs)
    }),
  )
})

it('accepts any state of another channel, even an older one', () => {
  const known: Timeline = {
    channelId: 'a',
    status: 'live',
    timelineVersion: 9,
    serverNowMs: 9,
    programmes: [],
  }
  const other: NowState = {
    channelId: 'b',
    status: 'idle',
    timelineVersion: 1,
    serverNowMs: 1,
    programmes: [],
  }
  expect(newerTimeline(known, other).channelId).toBe('b')
})
