import { expect, it } from 'vitest'
import { timeAgo } from './time-ago.ts'

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
