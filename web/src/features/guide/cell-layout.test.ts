import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { cellLayout, IN_HALF_HOURS, IN_HOURS } from './cell-layout.ts'
import { HOUR_MS } from './guide-time.ts'

const FROM_MS = Date.UTC(2026, 10, 23, 6)
const at = (hours: number) => FROM_MS + hours * HOUR_MS

/** Blocks that follow each other, from the given hours. */
const blocksBetween = (...hours: number[]) =>
  hours.slice(1).map((end, index) => ({ id: `${index}`, startsAtMs: at(hours[index]!), endsAtMs: at(end) }))
const onAirId = (blocks: ReturnType<typeof blocksBetween>, nowHours: number) =>
  blocks.find(({ startsAtMs, endsAtMs }) => startsAtMs <= at(nowHours) && at(nowHours) < endsAtMs)?.id
const layoutWith = (widths: typeof IN_HOURS, nowHours: number, ...hours: number[]) => {
  const blocks = blocksBetween(...hours)
  const cells = cellLayout(blocks, { fromMs: FROM_MS, onAirId: onAirId(blocks, nowHours), widths })
  return cells.map(({ left, width }) => [Number(left.toFixed(2)), Number(width.toFixed(2))])
}
const layout = (nowHours: number, ...hours: number[]) => layoutWith(IN_HOURS, nowHours, ...hours)

describe('the cells of a row', () => {
  it('are at the times of their blocks', () => {
    expect(layout(0.5, -0.03, 1, 2, 3)).toEqual([
      [0, 1],
      [1, 1],
      [2, 1],
    ])
  })

  it('of a channel that has just started begin earlier', () => {
    expect(layout(0.75, 0.7, 1.05, 2)).toEqual([
      [0.1, 0.95],
      [1.05, 0.95],
    ])
  })

  it('follow a current block that ends soon in the new hour, none too narrow', () => {
    expect(layout(0.01, -1, 0.03, 1.03, 2.03, 3)).toEqual([
      [0, 0.95],
      [0.95, 0.5],
      [1.45, 0.58],
      [2.03, 0.97],
    ])
  })

  it('of half hours are twice as wide, so that half as much is moved', () => {
    expect(layoutWith(IN_HALF_HOURS, 0.01, -1, 0.03, 1.03, 2.03)).toEqual([
      [0, 0.48],
      [0.48, 0.55],
      [1.03, 1],
    ])
  })

  it('never overlap, keep their order, and are wide enough', () => {
    const minutes = fc.array(fc.integer({ min: 1, max: 180 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(
        minutes,
        fc.integer({ min: -60, max: 59 }),
        fc.integer({ min: 0, max: 59 }),
        (all, start, now) => {
          const ends = [start / 60]
          for (const length of all) ends.push(ends.at(-1)! + length / 60)
          const blocks = blocksBetween(...ends)
          const nowId = onAirId(blocks, now / 60)
          const cells = cellLayout(blocks, { fromMs: FROM_MS, onAirId: nowId, widths: IN_HOURS })
          for (const [index, { left, width }] of cells.entries()) {
            const { startsAtMs, endsAtMs } = blocks[index]!
            const shownMs = Math.min(endsAtMs, at(24)) - Math.min(Math.max(startsAtMs, FROM_MS), at(24))
            const isOn = String(index) === nowId
            expect(width).toBeGreaterThanOrEqual((isOn ? 0.95 : Math.min(shownMs / HOUR_MS, 0.5)) - 1e-6)
            const before = cells[index - 1]
            if (before) expect(left).toBeGreaterThanOrEqual(before.left + before.width - 1e-6)
          }
        },
      ),
    )
  })
})
