import { expect, it } from 'vitest'
import { until } from './until.ts'

it('gives back what the probe found', async () => {
  let calls = 0
  const found = await until('the third call', () => (++calls === 3 ? 'found' : undefined))
  expect(found).toBe('found')
})

it('takes a probe that throws for one that found nothing yet', async () => {
  let calls = 0
  await until('it stops throwing', () => {
    if (++calls < 3) throw new Error('not yet')
    return true
  })
  expect(calls).toBe(3)
})

it('says what it waited for and what it saw last', async () => {
  await expect(until('pigs fly', () => false, { timeoutMs: 50 })).rejects.toThrow(
    'Timed out after 50 ms waiting until pigs fly. Last seen: false',
  )
})
