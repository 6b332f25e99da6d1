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

it('takes the domain and origin of passkeys from the address of the station', () => {
  const partyOf = (env: Record<string, string>) => loadConfig({ ...GOOD, ...env }).passkeyParty
  expect(partyOf({ SITE_URL: 'http://localhost:8080/' })).toMatchObject({
    id: 'localhost',
    origins: ['http://localhost:8080'],
  })
  const domain = {
    SITE_URL: 'https://tv.a.test',
    PASSKEY_RP_ID: 'a.test',
    PASSKEY_ORIGINS: 'https://www.a.test/',
  }
  expect(partyOf(domain)).toMatchObject({
    id: 'a.test',
    origins: ['https://tv.a.test', 'https://www.a.test'],
  })
  for (const SITE_URL of ['http://192.0.2.1:8080', 'http://[::1]:8080']) {
    expect(partyOf({ SITE_URL })).toBeUndefined()
  }
  for (const PASSKEY_RP_ID of ['b.test', 'ww.a.test']) {
    expect(() => partyOf({ ...domain, PASSKEY_RP_ID })).toThrow(/PASSKEY_RP_ID: .* is not in the domain/)
  }
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
