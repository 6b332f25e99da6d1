import { expect, it } from 'vitest'
import { expiresAtOf } from './restriction-end.ts'

const nowMs = Date.UTC(2026, 0, 1)

it('no end is no end, and a span ends that much later', () => {
  expect(expiresAtOf({ choice: 'never', until: '' }, nowMs)).toBeNull()
  expect(expiresAtOf({ choice: 'hour', until: '' }, nowMs)).toBe('2026-01-01T01:00:00.000Z')
  expect(expiresAtOf({ choice: 'week', until: '' }, nowMs)).toBe('2026-01-08T00:00:00.000Z')
})

it('a date is meant in the viewer’s zone; one that is over, or none at all, is no end', () => {
  const local = new Date(2026, 5, 1, 12, 30)
  expect(expiresAtOf({ choice: 'date', until: '2026-06-01T12:30' }, nowMs)).toBe(local.toISOString())
  expect(expiresAtOf({ choice: 'date', until: '2025-06-01T12:30' }, nowMs)).toBeUndefined()
  expect(expiresAtOf({ choice: 'date', until: '' }, nowMs)).toBeUndefined()
})
