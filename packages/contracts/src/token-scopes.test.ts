import { expect, it } from 'vitest'
import { ROLES } from './permissions.ts'
import { scopesFor, TOKEN_SCOPE_NAMES } from './token-scopes.ts'

it('each role can give a token the scopes that its permissions allow', () => {
  const everybody = ['read', 'playlists', 'chat', 'requests', 'videos']
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
