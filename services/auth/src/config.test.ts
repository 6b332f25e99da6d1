import { eventKeyEnv } from '@looptide/testkit/event-keys'
import { expect, it } from 'vitest'
import { loadConfig } from './config.ts'

const GOOD = {
  ...eventKeyEnv('auth'),
  DATABASE_URL: 'postgres://127.0.0.1/x',
  INTERNAL_TOKEN: 'an internal token for tests, long enough',
  AUTH_KEY_SECRET: 'x'.repeat(32),
}

it('has the defaults of docs/configuration.md', () => {
  expect(loadConfig(GOOD)).toMatchObject({
    mailConfirmation: true,
    accessTokenTtlS: 3600,
    otpTtlS: 3600,
    refreshReuseIntervalS: 10,
    redirectAllowList: [],
    redisUrl: undefined,
  })
})

it('reads the allow list', () => {
  expect(
    loadConfig({ ...GOOD, REDIRECT_ALLOW_LIST: ' https://a.test/x, ,app://b ' }).redirectAllowList,
  ).toEqual(['https://a.test/x', 'app://b'])
})

it('names every fault and no value', () => {
  const secret = 'too short'
  const attempt = () => loadConfig({ AUTH_KEY_SECRET: secret, MAIL_CONFIRMATION: 'maybe', OTP_TTL_S: '7200' })
  expect(attempt).toThrow(/DATABASE_URL.*INTERNAL_TOKEN|INTERNAL_TOKEN.*DATABASE_URL/)
  expect(attempt).toThrow(/AUTH_KEY_SECRET must have at least 32/)
  expect(attempt).toThrow(/MAIL_CONFIRMATION/)
  expect(attempt).toThrow(/OTP_TTL_S/)
  expect(attempt).not.toThrow(secret)
})
