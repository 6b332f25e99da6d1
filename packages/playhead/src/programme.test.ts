import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { dropPast, type Programme, positionMs, programmeAt, upNext } from './programme.ts'

/** Timelines with and without gaps between programmes. */
const timelines = fc
  .array(fc.record({ length: fc.integer({ min: 1, max: 5_000 }), gap: fc.constantFrom(0, 0, 0, 700) }), {
    maxLength: 40,
  })
  .map((parts) => {
    let atMs = 1_000
    return parts.map(({ length, gap }, seq): Programme => {
      const startsAtMs = atMs + gap
      atMs = startsAtMs + length
      return { id: `p${seq}`, seq, videoId: `v${seq}`, startsAtMs, endsAtMs: atMs }
    })
  })
const instants = fc.integer({ min: 0, max: 220_000 })

describe('a timeline', () => {
  test('the current programme has started and not ended', () => {
    fc.assert(
      fc.property(timelines, instants, (timeline, nowMs) => {
        const plain = timeline.find((p) => p.startsAtMs <= nowMs && nowMs < p.endsAtMs)
        expect(programmeAt(timeline, nowMs)).toBe(plain)
      }),
    )
  })

  test('the next programmes start later, in order', () => {
    fc.assert(
      fc.property(timelines, instants, fc.integer({ min: 0, max: 5 }), (timeline, nowMs, count) => {
        const plain = timeline.filter((p) => p.startsAtMs > nowMs).slice(0, count)
        expect(upNext(timeline, nowMs, count)).toEqual(plain)
      }),
    )
  })

  test('a position stays within its programme', () => {
    const programme: Programme = { id: 'p', seq: 1, videoId: 'v', startsAtMs: 10_000, endsAtMs: 14_000 }
    expect(positionMs(programme, 9_000)).toBe(0)
    expect(positionMs(programme, 12_345)).toBe(2_345)
    expect(positionMs(programme, 99_000)).toBe(4_000)
  })

  test('programmes that have ended can be removed', () => {
    fc.assert(
      fc.property(timelines, instants, (timeline, nowMs) => {
        expect(dropPast(timeline, nowMs)).toEqual(timeline.filter((p) => p.endsAtMs > nowMs))
      }),
    )
  })
})
