import { expect, it } from 'vitest'
import type { Segment } from './grid.ts'
import { GridCursor } from './grid-cursor.ts'

const segment = (startMs: number, endMs: number, isHardStart = false): Segment => ({
  item: null,
  kind: 'default',
  startMs,
  endMs,
  occurrenceMs: startMs,
  isHardStart,
})

it('finds the segment of a time, which ends before its end, and the next hard start after it', () => {
  const cursor = new GridCursor([
    segment(0, 10),
    segment(10, 20, true),
    segment(20, 30),
    segment(30, 40, true),
  ])
  expect([cursor.segmentAt(9).startMs, cursor.nextHardStart()]).toEqual([0, 10])
  expect([cursor.segmentAt(10).startMs, cursor.nextHardStart()]).toEqual([10, 30])
  expect([cursor.segmentAt(39).startMs, cursor.nextHardStart()]).toEqual([30, Number.POSITIVE_INFINITY])
})
