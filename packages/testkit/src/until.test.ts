import { expect, it } from 'vitest'
import { until } from './until.ts'

it('returns the result of the probe', async () => {
  let calls = 0
  const found = await until('the third call', () => (++calls === 3 ? 'found' : undefined))
  expect(found).toBe('found')
})

it('retries a probe that throws', async () => {
  let calls = 0
  await until('it stops throwing', () => {
    if (++calls < 3) throw new Error('not yet')
    return true
  })
  expect(calls).toBe(3)
})

it('reports the condition and the last result', async () => {
  await expect(until('pigs fly', () => false, { timeoutMs: 50 })).rejects.toThrow(
    'Timed out after 50 ms waiting until pigs fly. Last seen: false',
  )
})
