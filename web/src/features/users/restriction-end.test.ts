import { expect, it } from 'vitest'
import { expiresAtOf } from './restriction-end.ts'

const nowMs = Date.UTC(2026, 0, 1)

it('"never" has no end, and a duration ends that much later', () => {
  expect(expiresAtOf({ choice: 'never', until: '' }, nowMs)).toBeNull()
  expect(expiresAtOf({ choice: 'hour', until: '' }, nowMs)).toBe('2026-01-01T01:00:00.000Z')
  expect(expiresAtOf({ choice: 'week', until: '' }, nowMs)).toBe('2026-01-08T00:00:00.000Z')
})

it('a date is in the viewer’s time zone; a past or missing date is invalid', () => {
  const local = new Date(2026, 5, 1, 12, 30)
  expect(expiresAtOf({ choice: 'date', until: '2026-06-01T12:30' }, nowMs)).toBe(local.toISOString())
  expect(expiresAtOf({ choice: 'date', until: '2025-06-01T12:30' }, nowMs)).toBeUndefined()
  expect(expiresAtOf({ choice: 'date', until: '' }, nowMs)).toBeUndefined()
})
