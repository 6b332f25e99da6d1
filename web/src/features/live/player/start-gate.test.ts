import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StartGate } from './start-gate.ts'

const LOOK_MS = 20

/** Simulates a start: the player does not move for `latencyMs`, then plays; sampled every `lookMs`. */
function begin({
  latencyMs,
  leadMs,
  lookMs = LOOK_MS,
}: {
  latencyMs: number
  leadMs: number
  lookMs?: number
}) {
  const gate = new StartGate()
  let positionMs = 0
  let rate = 1
  for (let nowMs = 0; nowMs < 5_000; nowMs += lookMs) {
    const offMs = positionMs - (nowMs - leadMs)
    const step = gate.step({ nowMs, offMs, movedMs: positionMs })
    if (step.kind === 'open') return { offMs, openedAtMs: nowMs, startErrorMs: gate.startErrorMs }
    if (step.kind === 'rate') rate = step.rate
    const movesMs = Math.max(0, nowMs + lookMs - Math.max(nowMs, latencyMs))
    positionMs += Math.min(movesMs, lookMs) * rate
  }
  throw new Error('The gate never opened')
}

describe('the hidden start', () => {
  test('a start on time is shown at once', () => {
    const { openedAtMs, startErrorMs } = begin({ latencyMs: 40, leadMs: 40 })
    expect(openedAtMs).toBeLessThanOrEqual(40 + 2 * LOOK_MS)
    expect(Math.abs(startErrorMs ?? Number.NaN)).toBeLessThanOrEqual(5)
  })

  test('nothing is shown before it moves', () => {
    const gate = new StartGate()
    expect(gate.step({ nowMs: 0, offMs: 0, movedMs: 0 })).toEqual({ kind: 'wait' })
    expect(gate.step({ nowMs: 3_000, offMs: -3_000, movedMs: 0 })).toEqual({ kind: 'wait' })
    expect(gate.startErrorMs).toBeUndefined()
  })

  test('the start error is the offset before any correction', () => {
    const { startErrorMs } = begin({ latencyMs: 200, leadMs: 60 })
    expect(startErrorMs).toBeGreaterThan(-150)
    expect(startErrorMs).toBeLessThan(-130)
  })

  test('a video that is seconds late is shown at once: the sync loop seeks', () => {
    const { openedAtMs } = begin({ latencyMs: 2_000, leadMs: 0 })
    expect(openedAtMs).toBeLessThanOrEqual(2_000 + 2 * LOOK_MS)
  })

  test('a video up to 200 ms late or early is in sync when it is shown, within 0.7 s', () => {
    const starts = fc.record({
      latencyMs: fc.integer({ min: 0, max: 200 }),
      leadMs: fc.integer({ min: 0, max: 200 }),
    })
    fc.assert(
      fc.property(starts, ({ latencyMs, leadMs }) => {
        const { offMs, openedAtMs } = begin({ latencyMs, leadMs })
        expect(Math.abs(offMs)).toBeLessThanOrEqual(20)
        expect(openedAtMs - latencyMs).toBeLessThanOrEqual(700)
      }),
    )
  })

  test('on a busy page the video is still shown, and has not drifted', () => {
    const starts = fc.record({
      latencyMs: fc.integer({ min: 0, max: 400 }),
      leadMs: fc.integer({ min: 0, max: 400 }),
      lookMs: fc.integer({ min: 20, max: 300 }),
    })
    fc.assert(
      fc.property(starts, (start) => {
        const { offMs, startErrorMs } = begin(start)
        expect(Math.abs(offMs)).toBeLessThanOrEqual(Math.max(Math.abs(startErrorMs ?? 0), 150))
      }),
    )
  })
})
