import { expect, it } from 'vitest'
import type { ClientFrame } from '../protocol/codec.ts'
import { FrameQueue } from './frame-queue.ts'

const frame = (ref: string): ClientFrame => ({ joinRef: null, ref, topic: 't', event: 'e', payload: {} })

it('returns frames in order', () => {
  const queue = new FrameQueue()
  for (const ref of ['1', '2', '3']) expect(queue.push(frame(ref), 10)).toBe(true)
  expect([queue.shift(), queue.shift(), queue.shift(), queue.shift()].map((next) => next?.ref)).toEqual([
    '1',
    '2',
    '3',
    undefined,
  ])
})

it('holds at most 256 KiB, and accepts more after a shift', () => {
  const queue = new FrameQueue()
  expect(queue.push(frame('1'), 200_000)).toBe(true)
  expect(queue.push(frame('2'), 70_000)).toBe(false)
  expect(queue.push(frame('3'), 60_000)).toBe(true)
  queue.shift()
  expect(queue.push(frame('4'), 200_000)).toBe(true)
})

it('holds at most 200 frames of any size', () => {
  const queue = new FrameQueue()
  for (let n = 0; n < 200; n += 1) expect(queue.push(frame(String(n)), 1)).toBe(true)
  expect(queue.push(frame('one more'), 1)).toBe(false)
})
