import { eventKeyEnv } from '@looptide/testkit/event-keys'
import { describe, expect, it } from 'vitest'
import { loadConfig } from './config.ts'

const GOOD = {
  ...eventKeyEnv('auth'),
  DATABASE_URL: 'postgres://127.0.0.1/x',
  INTERNAL_TOKEN: 'an internal token for tests, long enough',
  AUTH_KEY_SECRET: 'x'.repeat(32),
}

it('has the defaults of docs/configuration.md', () => {
  expect(loadConfig(GOOD)).toMatchObject({
    accessTokenTtlS: 3600,
    otpTtlS: 3600,
    refreshReuseIntervalS: 10,
    redirectAllowList: [],
    redisUrl: undefined,
  })
})

it('requires mail confirmation unless the site is local, or as the setting says', () => {
  const requires = (env: Record<string, string>) => loadConfig({ ...GOOD, ...env }).mailConfirmation
  expect(requires({})).toBe(false)
  expect(requires({ SITE_URL: 'http://127.0.0.1:8080' })).toBe(false)
  expect(requires({ SITE_URL: 'https://tv.example.com' })).toBe(true)
  expect(requires({ SITE_URL: 'https://tv.example.com', MAIL_CONFIRMATION: '' })).toBe(true)
  expect(requires({ SITE_URL: 'https://tv.example.com', MAIL_CONFIRMATION: 'off' })).toBe(false)
  expect(requires({ MAIL_CONFIRMATION: 'on' })).toBe(true)
})

it('reads the allow list', () => {
  expect(
    loadConfig({ ...GOOD, REDIRECT_ALLOW_LIST: ' https://a.test/x, ,app://b ' }).redirectAllowList,
  ).toEqual(['https://a.test/x', 'app://b'])
})

describe('OpenID providers', () => {
  const entry = {
    id: 'company',
    name: 'Company',
    issuer: 'https://id.example.com',
    clientId: 'looptide',
    clientSecret: 'do not show this',
  }
  const read = (...list: object[]) => loadConfig({ ...GOOD, OIDC_PROVIDERS: JSON.stringify(list) })

  it('are read with defaults and a mapping of roles', () => {
    expect(loadConfig(GOOD).oidcProviders).toEqual([])
    const roles = { admins: 'admin', mods: 'moderator' }
    expect(read(entry, { ...entry, id: 'other', roleClaim: 'groups', roles }).oidcProviders).toMatchObject([
      { id: 'company', scopes: 'openid email profile', trustEmail: false, roles: undefined },
      {
        roles: {
          claim: 'groups',
          byValue: [
            ['admins', 'admin'],
            ['mods', 'moderator'],
          ],
        },
      },
    ])
  })

  it.each([
    [{ ...entry, id: 'Company' }],
    [{ ...entry, id: 'email' }],
    [{ ...entry, issuer: 'http://id.example.com' }],
    [{ ...entry, issuer: 'https://id.example.com/?x=do not show this' }],
    [{ ...entry, scopes: 'email' }],
    [{ ...entry, roleClaim: 'groups' }],
    [{ ...entry, roleClaim: 'groups', roles: { x: 'king' } }],
    [{ ...entry, secret: 'do not show this' }],
    [{ ...entry, clientSecret: '' }],
  ])('are refused without a value: %#', (faulty) => {
    expect(() => read(faulty)).toThrow(/^Invalid settings: OIDC_PROVIDERS: (?!.*do not show this)/)
    expect(() => read(entry, entry)).toThrow('OIDC_PROVIDERS')
  })

  it('are refused when they are not JSON, without the text', () => {
    const wrong = { ...GOOD, OIDC_PROVIDERS: '[{do not show this' }
    expect(() => loadConfig(wrong)).toThrow('Invalid settings: OIDC_PROVIDERS: is not JSON')
  })
})

it('takes the domain and origin of passkeys from SITE_URL', () => {
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

it('names all invalid settings at once, without their values', () => {
  const secret = 'too short'
  const attempt = () => loadConfig({ AUTH_KEY_SECRET: secret, MAIL_CONFIRMATION: 'maybe', OTP_TTL_S: '7200' })
  expect(attempt).toThrow(/DATABASE_URL.*INTERNAL_TOKEN|INTERNAL_TOKEN.*DATABASE_URL/)
  expect(attempt).toThrow(/AUTH_KEY_SECRET must have at least 32/)
  expect(attempt).toThrow(/MAIL_CONFIRMATION/)
  expect(attempt).toThrow(/OTP_TTL_S/)
  expect(attempt).not.toThrow(secret)
})
