import { ConfigError } from '@looptide/service-kit/settings/env'
import { eventKeyEnv } from '@looptide/testkit/event-keys'
import { expect, it } from 'vitest'
import { loadConfig } from './config.ts'

const GOOD = {
  ...eventKeyEnv('catalogue'),
  INTERNAL_TOKEN: 'an internal token for tests, long enough',
  DATABASE_URL: 'postgres://localhost/x',
}
const ID = '01a203c6-476b-788b-8719-b734a16e3687'

it('exempts no role and no account from review by default', () => {
  expect(loadConfig(GOOD).submissionExempt).toEqual({ roles: [], users: [] })
})

it('reads exempt roles and account ids', () => {
  const env = { SUBMISSION_EXEMPT_ROLES: ' moderator, user ', SUBMISSION_EXEMPT_USERS: `${ID},` }
  const exempt = loadConfig({ ...GOOD, ...env }).submissionExempt
  expect(exempt).toEqual({ roles: ['moderator', 'user'], users: [ID] })
})

it.each([
  ['SUBMISSION_EXEMPT_ROLES', 'everybody'],
  ['SUBMISSION_EXEMPT_USERS', '@handle'],
])('rejects %s=%s with an error that names the variable', (name, value) => {
  expect(() => loadConfig({ ...GOOD, [name]: value })).toThrow(ConfigError)
  expect(() => loadConfig({ ...GOOD, [name]: value })).toThrow(name)
})
