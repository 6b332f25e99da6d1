import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { stepDrift } from './drift-controller.ts'
import { type Correction, type DriftInput, type DriftState, initialDriftState } from './drift-state.ts'
import {
  HTML5_CAPABILITIES,
  type PlayerCapabilities,
  YOUTUBE_CAPABILITIES,
  YOUTUBE_COARSE_CAPABILITIES,
} from './player-capabilities.ts'

const inSync: DriftInput = {
  nowMs: 0,
  driftMs: 0,
  uncertaintyMs: 5,
  bufferedAheadMs: 20_000,
  remainingMs: 200_000,
}

/** Steps the controller every 250 ms with these drifts (ms), as of a player that does not react to corrections. */
function feed(
  capabilities: PlayerCapabilities,
  drifts: readonly (number | null)[],
  over: Partial<DriftInput> = {},
) {
  let state = initialDriftState(capabilities)
  const corrections: Correction[] = []
  const states: DriftState[] = []
  drifts.forEach((driftMs, index) => {
    const step = stepDrift(state, { ...inSync, ...over, driftMs, nowMs: index * 250 }, capabilities)
    state = step.state
    corrections.push(step.correction)
    states.push(state)
  })
  return { corrections, states, done: corrections.filter(({ kind }) => kind !== 'none') }
}

const steady = (driftMs: number | null, count: number) => Array.from({ length: count }, () => driftMs)

describe('the drift controller', () => {
  test('leaves small drift alone', () => {
    expect(feed(HTML5_CAPABILITIES, steady(4, 200)).done).toEqual([])
    expect(feed(HTML5_CAPABILITIES, steady(9, 200), { uncertaintyMs: 5 }).done).toEqual([])
    expect(feed(YOUTUBE_CAPABILITIES, steady(-170, 200)).done).toEqual([])
  })

  test('plays a late player faster and an early one slower, by at most 2.5 %', () => {
    const exact = { ...HTML5_CAPABILITIES, nudgeJumpMs: 0 }
    expect(feed(exact, steady(-30, 8)).done).toEqual([{ kind: 'rate', rate: 1.02 }])
    expect(feed(exact, steady(30, 8)).done).toEqual([{ kind: 'rate', rate: 0.98 }])
    expect(feed(HTML5_CAPABILITIES, steady(-150, 8)).done).toEqual([{ kind: 'rate', rate: 1.025 }])
  })

  test('counts on the jump of the position at the beginning of a nudge', () => {
    const [first] = feed(HTML5_CAPABILITIES, steady(-9, 5), { uncertaintyMs: 1 }).done
    expect(first).toEqual({ kind: 'rate', rate: 1.022 })
    // 12 ms early, and 12 ms late after the jump: one nudge forward is enough.
    const [early] = feed(HTML5_CAPABILITIES, steady(12, 5), { uncertaintyMs: 1 }).done
    expect(early).toEqual({ kind: 'rate', rate: 1.008 })
  })

  test('measures that jump', () => {
    // No jump: the nudge itself is all that changes the drift.
    const { states } = feed(HTML5_CAPABILITIES, [...steady(-40, 4), -33.75, -27.5, -21.25])
    expect(states.at(-1)?.nudgeJumpMs).toBeCloseTo(0, 0)
    const learned = initialDriftState(HTML5_CAPABILITIES, states.at(-1))
    expect(learned.nudgeJumpMs).toBe(states.at(-1)?.nudgeJumpMs)
  })

  test('seeks ahead by the learned latency when drift is large', () => {
    expect(feed(HTML5_CAPABILITIES, steady(-700, 4)).done).toEqual([{ kind: 'seek', leadMs: 60 }])
    const late = [...steady(-700, 4), ...steady(null, 2), ...steady(-100, 8)]
    expect(feed(HTML5_CAPABILITIES, late).states.at(-1)?.seekLatencyMs).toBe(110)
  })

  test('a player with coarse rates is nudged once after a start, for a time known before', () => {
    expect(feed(YOUTUBE_COARSE_CAPABILITIES, steady(-57, 400)).done).toEqual([
      { kind: 'timed-rate', rate: 1.25, forMs: 324 },
    ])
    expect(feed(YOUTUBE_COARSE_CAPABILITIES, steady(57, 400)).done).toEqual([
      { kind: 'timed-rate', rate: 0.75, forMs: 132 },
    ])
    expect(feed(YOUTUBE_COARSE_CAPABILITIES, steady(-57, 400), { uncertaintyMs: 30 }).done).toEqual([])
  })

  test('it is nudged once more after a seek, but not after a stall', () => {
    const sought = [...steady(-900, 8), ...steady(null, 2), ...steady(-50, 100), ...steady(null, 2)]
    const { done } = feed(YOUTUBE_COARSE_CAPABILITIES, [...sought, ...steady(-80, 100)])
    expect(done.map(({ kind }) => kind)).toEqual(['seek', 'timed-rate'])
  })

  test('it learns the jump at the beginning of its nudges', () => {
    // The player does not jump: after 324 ms at 1.25 it is 81 ms further.
    const { states } = feed(YOUTUBE_COARSE_CAPABILITIES, [...steady(-57, 7), ...steady(24, 40)])
    expect(states.at(-1)?.nudgeJumpMs).toBeCloseTo(-24 * 0.6)
  })

  test('ignores single outliers', () => {
    const drifts = steady(0, 60).map((drift, index) => (index % 8 === 7 ? -900 : drift))
    expect(feed(HTML5_CAPABILITIES, drifts).done).toEqual([])
  })

  test('corrects nothing while the position cannot be measured, and returns to rate 1', () => {
    expect(feed(HTML5_CAPABILITIES, steady(null, 400)).done).toEqual([])
    const nudgedThenStalled = [...steady(-30, 8), ...steady(null, 50)]
    expect(feed(HTML5_CAPABILITIES, nudgedThenStalled).done).toEqual([
      { kind: 'rate', rate: 1.025 },
      { kind: 'rate', rate: 1 },
    ])
  })

  test('an advert of any length costs one catch-up seek', () => {
    const drifts = [...steady(0, 20), ...steady(null, 32), ...steady(-8_000, 10)]
    expect(feed(YOUTUBE_CAPABILITIES, drifts).done).toEqual([{ kind: 'seek', leadMs: 400 }])
  })

  test('waits longer after each seek that did not help', () => {
    const { corrections } = feed(YOUTUBE_CAPABILITIES, steady(-900, 4 * 600))
    const seeks = corrections.flatMap(({ kind }, index) => (kind === 'seek' ? [index / 4] : []))
    const rests = seeks.slice(1).map((at, index) => at - seeks[index]!)
    expect(rests.every((rest, index) => index === 0 || rest >= rests[index - 1]!)).toBe(true)
    expect(seeks.length).toBeLessThanOrEqual(9)
  })

  test('does not speed up with a low buffer, and seeks beyond the loaded media only for a large drift', () => {
    expect(feed(HTML5_CAPABILITIES, steady(-100, 40), { bufferedAheadMs: 300 }).done).toEqual([])
    expect(feed(YOUTUBE_CAPABILITIES, steady(-600, 40), { bufferedAheadMs: 500 }).done).toEqual([])
    expect(feed(YOUTUBE_CAPABILITIES, steady(-5_000, 8), { bufferedAheadMs: 500 }).done).toHaveLength(1)
  })

  test('does not seek right before the cut', () => {
    expect(feed(YOUTUBE_CAPABILITIES, steady(-900, 40), { remainingMs: 2_000 }).done).toEqual([])
  })

  test('keeps the measured seek latency for the next video', () => {
    const { states } = feed(YOUTUBE_CAPABILITIES, [
      ...steady(-700, 8),
      ...steady(null, 2),
      ...steady(-100, 8),
    ])
    const next = initialDriftState(YOUTUBE_CAPABILITIES, states.at(-1))
    expect(next).toMatchObject({ phase: 'settling', measuredSeeks: 1, rate: 1, driftMs: null })
    expect(next.seekLatencyMs).toBeGreaterThan(YOUTUBE_CAPABILITIES.seekLatencyMs)
  })

  test('for any drift, keeps rates within the limit and seeks a cooldown apart', () => {
    const drifts = fc.array(fc.option(fc.integer({ min: -20_000, max: 20_000 }), { nil: null }), {
      maxLength: 300,
    })
    fc.assert(
      fc.property(
        drifts,
        fc.constantFrom(HTML5_CAPABILITIES, YOUTUBE_CAPABILITIES, YOUTUBE_COARSE_CAPABILITIES),
        (series, capabilities) => {
          const { corrections, states } = feed(capabilities, series)
          for (const state of states) Object.freeze(state)
          let lastSeek = Number.NEGATIVE_INFINITY
          corrections.forEach((correction, index) => {
            if (correction.kind === 'timed-rate') {
              expect(correction.forMs).toBeLessThanOrEqual(capabilities.nudgeTimeLimitMs)
            }
            if (correction.kind === 'rate' || correction.kind === 'timed-rate') {
              expect(Math.abs(correction.rate - 1)).toBeLessThanOrEqual(capabilities.maxNudge + 1e-9)
              expect(capabilities.rates).not.toBeNull()
            }
            if (correction.kind !== 'seek') return
            expect(index * 250 - lastSeek).toBeGreaterThanOrEqual(capabilities.cooldownMs)
            expect(correction.leadMs).toBeGreaterThanOrEqual(0)
            lastSeek = index * 250
          })
        },
      ),
    )
  })
})
