import { expect, it } from 'vitest'
import { waitText } from './wait-text.ts'

it.each([
  [0, '1 second'],
  [1_000, '1 second'],
  [41_001, '42 seconds'],
  [99_000, '99 seconds'],
  [100_000, '2 minutes'],
  [240_000, '4 minutes'],
  [5_940_000, '99 minutes'],
  [6_000_000, '2 hours'],
])('%i ms is %s', (ms, text) => {
  expect(waitText(ms)).toBe(text)
})
