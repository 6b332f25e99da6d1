import { expect, it } from 'vitest'
import { RefusalCache } from './refusal-cache.ts'

it('repeats a refusal for two seconds with the remaining wait', () => {
  let nowMs = 1000
  const refusals = new RefusalCache(() => nowMs)
  expect(refusals.find('c', 'u')).toBeNull()
  refusals.add('c', 'u', 'slow mode', 60_000)
  nowMs += 1500
  expect(refusals.find('c', 'u')).toEqual({ message: 'slow mode', retryAfterMs: 58_500 })
  expect(refusals.find('c', 'another user')).toBeNull()
  expect(refusals.find('another channel', 'u')).toBeNull()
  nowMs += 500
  expect(refusals.find('c', 'u')).toBeNull()
})

it('drops a refusal when its wait is over', () => {
  let nowMs = 1000
  const refusals = new RefusalCache(() => nowMs)
  refusals.add('c', 'u', 'too fast', 300)
  nowMs += 299
  expect(refusals.find('c', 'u')?.retryAfterMs).toBe(1)
  nowMs += 1
  expect(refusals.find('c', 'u')).toBeNull()
})
