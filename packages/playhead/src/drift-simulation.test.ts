import { describe, expect, test } from 'vitest'
import {
  driftController,
  HTML5_CAPABILITIES,
  HTML5_MODEL,
  musareController,
  noCorrections,
  SLOW_LINE_MODEL,
  type SyncController,
  type SyncResult,
  simulateSync,
  YOUTUBE_CAPABILITIES,
  YOUTUBE_COARSE_CAPABILITIES,
  YOUTUBE_FINE_CAPABILITIES,
  YOUTUBE_FINE_RATES_MODEL,
  YOUTUBE_MODEL,
} from './testing/simulate-sync.ts'
import type { PlayerModel } from './testing/simulated-player.ts'

const RUNS = 30

/** 30 simulations of ten minutes with latency, jitter and stalls, which start 300 ms early or late. */
function runs(
  make: () => SyncController,
  model: PlayerModel,
  { closeMs = 50, lateMs = 0, minutes = 10 } = {},
): SyncResult[] {
  return Array.from({ length: RUNS }, (_, index) =>
    simulateSync(make(), {
      model,
      minutes,
      seed: `run ${index}`,
      startErrorMs: index % 2 === 0 ? -300 : 300,
      closeMs,
      lateMs,
    }),
  )
}

const worst = (results: SyncResult[], pick: (result: SyncResult) => number) => Math.max(...results.map(pick))
const mean = (results: SyncResult[], pick: (result: SyncResult) => number) =>
  results.reduce((sum, result) => sum + pick(result), 0) / results.length

describe('simulated viewers', () => {
  test('HTML5: p95 ≤ 8 ms in every run, no audible rate, fewer than one correction a minute', () => {
    const results = runs(() => driftController(HTML5_CAPABILITIES), HTML5_MODEL)
    expect(worst(results, (r) => r.p95Ms)).toBeLessThanOrEqual(8)
    expect(worst(results, (r) => r.audibleShare)).toBe(0)
    expect(mean(results, (r) => r.correctionsPerMinute)).toBeLessThan(1)
  })

  test('HTML5: smaller drift than with the Musare rule, with fewer corrections', () => {
    const ours = runs(() => driftController(HTML5_CAPABILITIES), HTML5_MODEL)
    const theirs = runs(musareController, HTML5_MODEL)
    expect(mean(ours, (r) => r.p95Ms)).toBeLessThan(mean(theirs, (r) => r.p95Ms) * 0.8)
    expect(mean(ours, (r) => r.audibleShare)).toBeLessThan(mean(theirs, (r) => r.audibleShare))
    expect(mean(ours, (r) => r.correctionsPerMinute)).toBeLessThan(
      mean(theirs, (r) => r.correctionsPerMinute),
    )
  })

  test('YouTube with slow seeks: p95 ≤ 250 ms after settling, fewer than one correction a minute', () => {
    const results = runs(() => driftController(YOUTUBE_CAPABILITIES), YOUTUBE_MODEL, { closeMs: 250 })
    expect(worst(results, (r) => r.p95Ms)).toBeLessThanOrEqual(250)
    expect(worst(results, (r) => r.correctionsPerMinute)).toBeLessThan(1)
  })

  test('YouTube with rates in steps of 0.25: p95 ≤ 40 ms in the mean, with fewer seeks than by seeks alone', () => {
    const nudges = runs(() => driftController(YOUTUBE_COARSE_CAPABILITIES), YOUTUBE_MODEL, { closeMs: 250 })
    const seeks = runs(() => driftController(YOUTUBE_CAPABILITIES), YOUTUBE_MODEL, { closeMs: 250 })
    expect(mean(nudges, (r) => r.p95Ms)).toBeLessThanOrEqual(40)
    expect(worst(nudges, (r) => r.p95Ms)).toBeLessThanOrEqual(90)
    expect(worst(nudges, (r) => r.correctionsPerMinute)).toBeLessThan(1)
    expect(mean(nudges, (r) => r.seeks)).toBeLessThan(mean(seeks, (r) => r.seeks))
    expect(worst(nudges, (r) => r.audibleShare)).toBeLessThan(0.02)
  })

  test('on a busy machine a YouTube frame is nudged after its start, and left alone from then on', () => {
    const undisturbed = { ...YOUTUBE_MODEL, stallEveryMs: 3_600_000 }
    // Songs: over an hour the clocks themselves drift apart.
    const results = runs(() => driftController(YOUTUBE_COARSE_CAPABILITIES), undisturbed, {
      lateMs: 120,
      minutes: 5,
    })
    expect(mean(results, (r) => r.correctionsPerMinute)).toBeLessThanOrEqual(0.2)
    // No oscillation: at most one nudge, when the clocks have drifted apart.
    expect(worst(results, (r) => r.seeks + r.rateChanges / 2)).toBeLessThanOrEqual(1)
    expect(worst(results, (r) => r.p95Ms)).toBeLessThanOrEqual(90)
  })

  test('YouTube with rates in steps of 0.05: less than half of the drift of the Musare rule', () => {
    const ours = runs(() => driftController(YOUTUBE_FINE_CAPABILITIES), YOUTUBE_FINE_RATES_MODEL, {
      closeMs: 250,
    })
    const theirs = runs(musareController, YOUTUBE_FINE_RATES_MODEL, { closeMs: 250 })
    expect(worst(ours, (r) => r.p95Ms)).toBeLessThan(60)
    expect(mean(ours, (r) => r.p95Ms)).toBeLessThan(mean(theirs, (r) => r.p95Ms) / 2)
    expect(mean(ours, (r) => r.correctionsPerMinute)).toBeLessThan(1)
  })

  test('a connection that is too slow: about as many stalls as without corrections, and smaller drift', () => {
    const ours = runs(() => driftController(HTML5_CAPABILITIES), SLOW_LINE_MODEL)
    const uncorrected = runs(noCorrections, SLOW_LINE_MODEL)
    const theirs = runs(musareController, SLOW_LINE_MODEL)
    expect(mean(ours, (r) => r.stalledMs)).toBeLessThan(mean(uncorrected, (r) => r.stalledMs) * 1.15)
    expect(mean(ours, (r) => r.stalledMs)).toBeLessThan(mean(theirs, (r) => r.stalledMs) / 2)
    expect(mean(ours, (r) => r.p95Ms)).toBeLessThan(mean(uncorrected, (r) => r.p95Ms) / 4)
    expect(worst(ours, (r) => r.correctionsPerMinute)).toBeLessThan(1.5)
  })
})
