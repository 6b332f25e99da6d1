import { expect, it } from 'vitest'
import { reconnectDelayMs } from './reconnect-delay.ts'

it('waits 1, 2, 5 and then always 10 seconds on average', () => {
  const middle = [1, 2, 3, 4, 5, 100].map((tries) => reconnectDelayMs(tries, () => 0.5))
  expect(middle).toEqual([1_000, 2_000, 5_000, 10_000, 10_000, 10_000])
})

it('spreads clients that lost their connection at the same instant over half of each delay', () => {
  expect([0, 1].map((chance) => reconnectDelayMs(1, () => chance))).toEqual([750, 1_250])
  expect([0, 1].map((chance) => reconnectDelayMs(2, () => chance))).toEqual([1_500, 2_500])
  expect(new Set(Array.from({ length: 200 }, () => reconnectDelayMs(1))).size).toBeGreaterThan(50)
})
