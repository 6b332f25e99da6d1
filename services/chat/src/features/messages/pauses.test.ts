import { expect, it } from 'vitest'
import { Pauses } from './pauses.ts'

it('repeats a refusal for a moment, with what is left of the wait, and then has it looked up again', () => {
  let nowMs = 1000
  const pauses = new Pauses(() => nowMs)
  expect(pauses.current('c', 'u')).toBeNull()
  pauses.begin('c', 'u', 'slow mode', 60_000)
  nowMs += 1500
  expect(pauses.current('c', 'u')).toEqual({ message: 'slow mode', remainingMs: 58_500 })
  expect(pauses.current('c', 'somebody else')).toBeNull()
  expect(pauses.current('elsewhere', 'u')).toBeNull()
  nowMs += 500
  expect(pauses.current('c', 'u')).toBeNull()
})

it('is over when the wait is', () => {
  let nowMs = 1000
  const pauses = new Pauses(() => nowMs)
  pauses.begin('c', 'u', 'too fast', 300)
  nowMs += 299
  expect(pauses.current('c', 'u')?.remainingMs).toBe(1)
  nowMs += 1
  expect(pauses.current('c', 'u')).toBeNull()
})
