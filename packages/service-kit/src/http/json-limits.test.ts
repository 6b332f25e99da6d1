import { expect, it } from 'vitest'
import { isWithinLimits } from './json-limits.ts'

it('counts levels', () => {
  const bounds = { depth: 2, members: 100 }
  for (const value of [null, 'text', 7, [], {}, [[1]], { a: { b: 1 } }, [{}]])
    expect(isWithinLimits(value, bounds)).toBe(true)
  for (const value of [[[[]]], { a: { b: {} } }, [1, [2, { c: 3 }]]])
    expect(isWithinLimits(value, bounds)).toBe(false)
})

it('counts members, of all levels together', () => {
  const bounds = { depth: 5, members: 4 }
  expect(isWithinLimits([1, [2, 3]], bounds)).toBe(true)
  expect(isWithinLimits([1, [2, 3, 4]], bounds)).toBe(false)
})

it('checks deeply nested values without a stack overflow', () => {
  let deep: unknown = 'x'
  for (let i = 0; i < 200_000; i += 1) deep = [deep]
  expect(isWithinLimits(deep, { depth: 32, members: 1000 })).toBe(false)
  expect(isWithinLimits(deep, { depth: 300_000, members: 300_000 })).toBe(true)
})
