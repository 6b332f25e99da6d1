import { expect, it } from 'vitest'
import { isWithin } from './weight.ts'

it('counts levels', () => {
  const bounds = { levels: 2, parts: 100 }
  for (const value of [null, 'text', 7, [], {}, [[1]], { a: { b: 1 } }, [{}]])
    expect(isWithin(value, bounds)).toBe(true)
  for (const value of [[[[]]], { a: { b: {} } }, [1, [2, { c: 3 }]]])
    expect(isWithin(value, bounds)).toBe(false)
})

it('counts members, of all levels together', () => {
  const bounds = { levels: 5, parts: 4 }
  expect(isWithin([1, [2, 3]], bounds)).toBe(true)
  expect(isWithin([1, [2, 3, 4]], bounds)).toBe(false)
})

it('bears any depth', () => {
  let deep: unknown = 'x'
  for (let i = 0; i < 200_000; i += 1) deep = [deep]
  expect(isWithin(deep, { levels: 32, parts: 1000 })).toBe(false)
  expect(isWithin(deep, { levels: 300_000, parts: 300_000 })).toBe(true)
})
