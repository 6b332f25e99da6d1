import { expect, it } from 'vitest'
import { isStorable } from './storable.ts'

it('knows what Postgres can store', () => {
  expect(isStorable({ a: ['ü', 1, null, { b: '🎵' }] })).toBe(true)
  expect(isStorable({ a: [{ b: 'x\0' }] })).toBe(false)
  expect(isStorable({ 'x\0': 1 })).toBe(false)
  expect(isStorable('\ud83c')).toBe(false)
  expect(isStorable(undefined)).toBe(true)
})

it('bears any depth', () => {
  let deep: unknown = 'x'
  for (let i = 0; i < 200_000; i += 1) deep = [deep]
  expect(isStorable(deep)).toBe(true)
})
