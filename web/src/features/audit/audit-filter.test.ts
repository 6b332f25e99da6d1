import type { AuditEntry } from '@looptide/contracts/http/admin'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { matchesFilter, readFilter, writeFilter } from './audit-filter.ts'

const entry: AuditEntry = {
  id: '1',
  adminUserId: 'ann',
  action: 'user.role.set',
  targetType: 'user',
  targetId: 'bob',
  targetUserId: 'bob',
  details: null,
  before: null,
  after: null,
  createdAt: '2026-01-01T12:00:00.000Z',
  isPseudonymised: false,
}

it('a filter is read from URL parameters as it was written', () => {
  const text = fc.string({ minLength: 1 })
  const filters = fc.record(
    { adminUserId: text, targetUserId: text, action: text, security: fc.boolean(), since: text, until: text },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(filters, (filter) => {
      expect(readFilter(new URLSearchParams(writeFilter(filter).toString()))).toEqual(filter)
    }),
  )
})

it.each([
  [{}, true],
  [{ adminUserId: 'ann', targetUserId: 'bob', action: 'user.role.set', security: false }, true],
  [{ adminUserId: 'bob' }, false],
  [{ targetUserId: 'ann' }, false],
  [{ action: 'video.add' }, false],
  [{ security: true }, false],
  [{ since: '2026-01-01T12:00:00Z', until: '2026-01-01T12:00:01Z' }, true],
  [{ until: '2026-01-01T12:00:00Z' }, false],
  [{ since: '2026-01-01T12:00:01Z' }, false],
])('a pushed entry is shown only if it matches the filter: %j', (filter, isShown) => {
  expect(matchesFilter(entry, filter)).toBe(isShown)
})
