import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { StartGate } from './start-gate.ts'

const LOOK_MS = 20
/** A rate works this long after it was set (ms): the sound before it is already queued. */
const QUEUE_MS = 50

/** A clock stands still for this time shortly after it began. */
const STILL_MS = 30

interface Start {
  latencyMs: number
  leadMs: number
  /** The position stands still when the rate has changed from 1, until it is this late (ms). */
  jumpMs?: number
  lookMs?: number
}

/**
 * Simulates a start as measured in Chromium: the player does not move for `latencyMs`, shows 14 ms, stands still, then
 * plays. Sampled every `lookMs`, played ms by ms. `endsOffMs`: its offset half a second after it was shown.
 */
function begin(start: Start, gate = new StartGate(-24)) {
  const { latencyMs, leadMs, jumpMs = 24, lookMs = LOOK_MS } = start
  let positionMs = 0
  let [rate, stillMs] = [1, STILL_MS]
  const queue: { atMs: number; rate: number }[] = []
  let opened: { atMs: number; positionMs: number } | undefined
  for (let nowMs = 0; nowMs < 5_000; nowMs += 1) {
    if (opened !== undefined && nowMs === opened.atMs + 500) {
      const offMs = opened.positionMs - (opened.atMs - leadMs)
      return { offMs, endsOffMs: positionMs - (nowMs - leadMs), openedAtMs: opened.atMs, gate }
    }
    if (opened === undefined && nowMs % lookMs === 0) {
      const step = gate.step({ nowMs, offMs: positionMs - (nowMs - leadMs), movedMs: positionMs })
      if (step.kind === 'open') opened = { atMs: nowMs, positionMs }
      if (step.kind !== 'wait')
        queue.push({ atMs: nowMs + QUEUE_MS, rate: step.kind === 'rate' ? step.rate : 1 })
    }
    const next = queue[0]?.atMs === nowMs ? queue.shift()!.rate : rate
    if (rate === 1 && next !== 1) stillMs = jumpMs
    rate = next
    if (nowMs < latencyMs) continue
    if (positionMs >= 14 && stillMs > 0) stillMs -= rate
    else positionMs += rate
  }
  throw new Error('The gate never opened')
}

describe('the hidden start', () => {
  test('a start on time is shown as soon as its clock is known to be steady', () => {
    const { openedAtMs, gate } = begin({ latencyMs: 40, leadMs: 70 })
    expect(openedAtMs - 40).toBeLessThanOrEqual(14 + STILL_MS + 4 * LOOK_MS)
    expect(Math.abs(gate.startErrorMs ?? Number.NaN)).toBeLessThanOrEqual(2)
  })

  test('nothing is shown before it moves', () => {
    const gate = new StartGate(-24)
    expect(gate.step({ nowMs: 0, offMs: 0, movedMs: 0 })).toEqual({ kind: 'wait' })
    expect(gate.step({ nowMs: 3_000, offMs: -3_000, movedMs: 0 })).toEqual({ kind: 'wait' })
    expect(gate.startErrorMs).toBeUndefined()
  })

  test('a video without a target is shown as soon as it moves', () => {
    const gate = new StartGate(-24)
    expect(gate.step({ nowMs: 0, offMs: null, movedMs: 2 })).toEqual({ kind: 'wait' })
    expect(gate.step({ nowMs: 20, offMs: null, movedMs: 20 })).toEqual({ kind: 'open' })
  })

  test('the start error is the offset of the steady clock before any correction', () => {
    const { gate } = begin({ latencyMs: 200, leadMs: 90 })
    expect(gate.startErrorMs).toBeGreaterThan(-145)
    expect(gate.startErrorMs).toBeLessThan(-135)
  })

  test('a video that is seconds late is shown at once: the sync loop seeks', () => {
    const { openedAtMs } = begin({ latencyMs: 2_000, leadMs: 0 })
    expect(openedAtMs).toBeLessThanOrEqual(2_000 + 2 * LOOK_MS)
  })

  test('a video up to 100 ms late or early is within 8 ms when it is shown, within 0.66 s, and stays so', () => {
    const starts = fc.record({
      latencyMs: fc.integer({ min: 0, max: 100 }),
      leadMs: fc.integer({ min: 30, max: 130 }),
      jumpMs: fc.integer({ min: 22, max: 26 }),
    })
    fc.assert(
      fc.property(starts, (start) => {
        const { offMs, endsOffMs, openedAtMs } = begin(start)
        expect(Math.abs(offMs)).toBeLessThanOrEqual(8)
        expect(Math.abs(endsOffMs)).toBeLessThanOrEqual(8)
        expect(openedAtMs - start.latencyMs).toBeLessThanOrEqual(660)
      }),
    )
  })

  test('the jump of another browser is known after one start', () => {
    const first = begin({ latencyMs: 60, leadMs: 30, jumpMs: 0 })
    expect(Math.abs(first.gate.jumpMs)).toBeLessThanOrEqual(4)
    const next = begin({ latencyMs: 60, leadMs: 30, jumpMs: 0 }, new StartGate(first.gate.jumpMs))
    expect(Math.abs(next.endsOffMs)).toBeLessThanOrEqual(4)
    expect(next.openedAtMs).toBeLessThanOrEqual(first.openedAtMs)
  })

  test('on a busy page the video is still shown, and has not drifted', () => {
    const starts = fc.record({
      latencyMs: fc.integer({ min: 0, max: 400 }),
      leadMs: fc.integer({ min: 0, max: 400 }),
      lookMs: fc.integer({ min: 20, max: 300 }),
    })
    fc.assert(
      fc.property(starts, (start) => {
        const { endsOffMs, gate } = begin(start)
        // With few looks the error of the start may be measured before the clock has stood still.
        const startErrorMs = Math.abs(gate.startErrorMs ?? 0) + STILL_MS
        expect(Math.abs(endsOffMs)).toBeLessThanOrEqual(Math.max(startErrorMs, 150))
      }),
    )
  })
})
