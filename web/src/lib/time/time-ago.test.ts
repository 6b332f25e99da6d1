import { expect, it } from 'vitest'
import { timeAgo, waitText } from './time-ago.ts'

const NOW_MS = Date.parse('2026-11-20T12:00:00Z')

it.each([
  ['2026-11-20T11:59:30Z', 'now'],
  ['2026-11-20T12:00:30Z', 'now'],
  ['2026-11-20T11:55:00Z', '5 minutes ago'],
  ['2026-11-20T10:59:00Z', '1 hour ago'],
  ['2026-11-19T11:00:00Z', 'yesterday'],
  ['2026-09-01T12:00:00Z', '2 months ago'],
])('%s is %s', (instant, text) => {
  expect(timeAgo(instant, NOW_MS, 'en')).toBe(text)
})

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
