import { expect, it } from 'vitest'
import { OPERATIONS } from './http/operations.ts'
import { ROLES } from './permissions.ts'
import { SCOPE_OF, SESSION_ONLY, scopesFor, TOKEN_SCOPE_NAMES } from './token-scopes.ts'

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

it('each role can give a token the scopes that its permissions allow', () => {
  const everybody = ['read', 'playlists', 'chat', 'videos']
  const staffScopes = ROLES.map((role) => [role, scopesFor(role).filter((name) => !everybody.includes(name))])
  expect(Object.fromEntries(staffScopes)).toEqual({
    user: [],
    programmer: ['schedules'],
    curator: ['home'],
    moderator: ['moderation', 'stream'],
    admin: ['moderation', 'home', 'schedules', 'stream'],
  })
  expect(ROLES.every((role) => everybody.every((name) => scopesFor(role).some((own) => own === name)))).toBe(
    true,
  )
  expect(scopesFor('admin')).toEqual(TOKEN_SCOPE_NAMES)
})
