import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Ticker } from './ticker.ts'

let ticks: number[]
let ticker: Ticker

beforeEach(() => {
  vi.useFakeTimers({ now: 0 })
  ticks = []
  ticker = new Ticker(100, () => ticks.push(Date.now()))
  ticker.start()
})
afterEach(() => {
  ticker.stop()
  vi.useRealTimers()
})

test('ticks at the interval, and once more at the instant that it is aimed at', () => {
  ticker.aim(130)
  vi.advanceTimersByTime(250)
  expect(ticks).toEqual([100, 130, 200])
})

test('a later aim replaces an earlier one, and a distant instant is not aimed at', () => {
  ticker.aim(130)
  ticker.aim(150)
  vi.advanceTimersByTime(160)
  ticker.aim(500)
  vi.advanceTimersByTime(540)
  expect(ticks).toEqual([100, 150, 200, 300, 400, 500, 600, 700])
})

test('does not tick after it was stopped', () => {
  ticker.aim(50)
  ticker.stop()
  vi.advanceTimersByTime(1000)
  expect(ticks).toEqual([])
})
