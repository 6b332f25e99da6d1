import { expect, it } from 'vitest'
import { isStorableInPostgres } from './postgres-json.ts'

it('refuses NUL and lone surrogates', () => {
  expect(isStorableInPostgres({ a: ['ü', 1, null, { b: '🎵' }] })).toBe(true)
  expect(isStorableInPostgres({ a: [{ b: 'x\0' }] })).toBe(false)
  expect(isStorableInPostgres({ 'x\0': 1 })).toBe(false)
  expect(isStorableInPostgres('\ud83c')).toBe(false)
  expect(isStorableInPostgres(undefined)).toBe(true)
})

it('checks deeply nested values without a stack overflow', () => {
  let deep: unknown = 'x'
  for (let i = 0; i < 200_000; i += 1) deep = [deep]
  expect(isStorableInPostgres(deep)).toBe(true)
})
