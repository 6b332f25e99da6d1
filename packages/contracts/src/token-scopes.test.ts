import { expect, it } from 'vitest'
import { OPERATIONS } from './http/operations.ts'
import { SCOPE_OF, SESSION_ONLY } from './token-scopes.ts'

const needsSession = (operation: string): boolean =>
  SESSION_ONLY.some((beginning) => operation.startsWith(beginning))

it('every operation has a scope or needs a session, and not both', () => {
  const undecided = [...OPERATIONS.keys()].filter((name) => SCOPE_OF.has(name) === needsSession(name))
  expect(undecided).toEqual([])
})

it('names no operation that does not exist', () => {
  expect([...SCOPE_OF.keys()].filter((name) => !OPERATIONS.has(name))).toEqual([])
  const names = [...OPERATIONS.keys()]
  expect(SESSION_ONLY.filter((start) => !names.some((name) => name.startsWith(start)))).toEqual([])
})
