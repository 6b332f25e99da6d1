import { eventKeyEnv } from '@looptide/testkit/event-keys'
import { describe, expect, it } from 'vitest'
import { ConfigError, type Env, EnvReader, readCommon, readDatabase, readInternalTls } from './env.ts'

const faultsOf = (env: Env, read: (reader: EnvReader) => unknown): readonly string[] => {
  const reader = new EnvReader(env)
  read(reader)
  try {
    reader.done()
    return []
  } catch (error) {
    return (error as ConfigError).faults
  }
}

const TOKEN = 'an internal token for tests, long enough'

describe('EnvReader', () => {
  it('names all invalid settings at once, without their values', () => {
    const env = {
      PORT: 'eighty',
      LOG_LEVEL: 'loud',
      NATS_URL: 'not a url with secret-1',
      RATE_LIMIT_FACTOR: '-1',
      DATABASE_POOL_SIZE: '2.5',
      EVENT_PUBLIC_KEYS: 'secret-2',
    }
    const faults = faultsOf(env, (reader) => ({ ...readCommon(reader, 1), ...readDatabase(reader) }))
    const text = faults.join('\n')
    for (const name of [...Object.keys(env), 'INTERNAL_TOKEN', 'DATABASE_URL']) expect(text).toContain(name)
    expect(faults).toHaveLength(8)
    for (const value of Object.values(env)) expect(text).not.toContain(value)
    expect(new ConfigError(faults).message).not.toContain('secret-1')
  })

  it('allows development settings with a local SITE_URL only', () => {
    const faults = (siteUrl?: string) =>
      faultsOf({ SITE_URL: siteUrl }, (reader) => reader.developmentOnly('WEB_DEV_URL'))
    expect(faults()).toEqual([])
    expect(faults('http://localhost:8080')).toEqual([])
    expect(faults('https://tv.example.com')).toEqual([
      'WEB_DEV_URL is for development and allowed only with a local SITE_URL',
    ])
  })

  it('has defaults for a local and for a public site', () => {
    const read = (env: Record<string, string>) =>
      new EnvReader(env).choiceBySite('X', ['on', 'off'], { local: 'off', public: 'on' })
    expect(read({})).toBe('off')
    expect(read({ SITE_URL: 'http://localhost:8080' })).toBe('off')
    expect(read({ SITE_URL: 'https://tv.example.com' })).toBe('on')
    expect(read({ SITE_URL: 'no URL' })).toBe('on')
    expect(read({ SITE_URL: 'https://tv.example.com', X: 'off' })).toBe('off')
  })

  it('reads origins separated by commas, with blanks around them, and refuses other values', () => {
    const origins = new EnvReader({ IMAGE_ORIGINS: 'https://A.example/, http://b.example:8080 ,' })
    expect(origins.origins('IMAGE_ORIGINS')).toEqual(['https://a.example', 'http://b.example:8080'])
    const read = (reader: EnvReader) => reader.origins('IMAGE_ORIGINS')
    for (const text of [
      'https://a.example https://b.example',
      'https://a.example, b.example',
      'data:,',
      'https://a.example/media',
    ]) {
      const faults = faultsOf({ IMAGE_ORIGINS: text }, read)
      expect(faults).toEqual(['IMAGE_ORIGINS must be origins separated by commas'])
    }
  })

  it.each([
    ['SITE_URL', 'https://tv.example/live', 'SITE_URL must not contain a path'],
    ['SITE_URL', 'https://tv.example//', 'SITE_URL must not contain a path'],
    ['SITE_URL', 'ftp://tv.example', 'SITE_URL must be a URL that starts with http:// or https://'],
    ['SITE_URL', 'localhost:8080', 'SITE_URL must be a URL that starts with http:// or https://'],
    ['SITE_URL', 'https://admin:secret@tv.example', 'SITE_URL must not contain credentials'],
    ['SITE_URL', 'https://admin@tv.example', 'SITE_URL must not contain credentials'],
    ['SITE_URL', 'https://tv.example?a=b', 'SITE_URL must not contain a query'],
    ['SITE_URL', 'https://tv.example/?', 'SITE_URL must not contain a query'],
    [
      'SITE_URL',
      'https://tv.example/#live',
      'SITE_URL must not contain a fragment (write # in a password as %23)',
    ],
    ['SITE_URL', ' https://tv.example', 'SITE_URL must not begin or end with a blank'],
    ['SITE_URL', 'tv.example', 'SITE_URL must be a URL'],
    ['AUTH_URL', 'http://auth:8080/auth/v1', 'AUTH_URL must not contain a path'],
    [
      'DATABASE_URL',
      'mysql://db/x',
      'DATABASE_URL must be a URL that starts with postgres:// or postgresql://',
    ],
    [
      'DATABASE_URL',
      'postgres://u:12#4@db/x',
      'DATABASE_URL must not contain a fragment (write # in a password as %23)',
    ],
    ['DATABASE_URL', 'postgres://u:5%@db/x', 'DATABASE_URL must have its credentials percent-encoded'],
    ['NATS_URL', 'http://nats:4222', 'NATS_URL must be a URL that starts with nats:// or tls://'],
    ['NATS_URL', 'nats:nats:4222', 'NATS_URL must contain a host'],
    ['NATS_URL', 'nats://nats:4222/events', 'NATS_URL must not contain a path'],
    ['SMTP_URL', 'https://mail.example', 'SMTP_URL must be a URL that starts with smtp:// or smtps://'],
    [
      'MALWARE_SCANNER_URL',
      'http://clamav:3310',
      'MALWARE_SCANNER_URL must be a URL that starts with tcp://',
    ],
    [
      'BREACHED_PASSWORDS_URL',
      'file:///etc',
      'BREACHED_PASSWORDS_URL must be a URL that starts with http:// or https://',
    ],
  ])('refuses a URL that would be misread: %s=%s', (name, text, fault) => {
    expect(faultsOf({ [name]: text }, (reader) => reader.url(name))).toEqual([fault])
  })

  it.each([
    ['SITE_URL', 'https://tv.example', 'https://tv.example'],
    ['SITE_URL', 'HTTPS://TV.example:443/', 'https://tv.example'],
    ['SITE_URL', 'http://[::1]:8080/', 'http://[::1]:8080'],
    ['AUTH_URL', 'http://auth:8080/', 'http://auth:8080'],
    ['DATABASE_URL', 'postgres://u:p%23@db:5432/x?sslmode=require', undefined],
    ['DATABASE_URL', 'postgresql:///x?host=/run/postgresql', undefined],
    ['REDIS_URL', 'rediss+sentinel://:p@sentinels/main?sentinelPassword=q', undefined],
    ['NATS_URL', 'nats://chat:p@nats:4222', undefined],
    ['SMTP_URL', 'smtps://u:p@mail.example:465?pool=true', undefined],
    ['BREACHED_PASSWORDS_URL', 'https://api.example/range', undefined],
  ])('accepts %s=%s, an origin in its normal form', (name, text, read = text) => {
    const reader = new EnvReader({ [name]: text })
    expect(reader.url(name)).toBe(read)
    expect(() => reader.done()).not.toThrow()
  })

  it('refuses an internal token of fewer than 32 characters, and accepts two tokens during a rotation', () => {
    const keys = eventKeyEnv('chat')
    const faults = faultsOf({ ...keys, INTERNAL_TOKEN: 'short', INTERNAL_TOKEN_PREVIOUS: 'x' }, (reader) =>
      readCommon(reader, 1),
    )
    expect(faults).toEqual([
      'INTERNAL_TOKEN must have at least 32 characters',
      'INTERNAL_TOKEN_PREVIOUS must have at least 32 characters',
    ])
    const previous = `${TOKEN}, of before`
    const reader = new EnvReader({ ...keys, INTERNAL_TOKEN: TOKEN, INTERNAL_TOKEN_PREVIOUS: previous })
    expect(readCommon(reader, 1)).toMatchObject({
      internalToken: TOKEN,
      internalTokensAccepted: [TOKEN, previous],
    })
  })

  it('treats an empty variable as missing', () => {
    expect(new EnvReader({ PORT: '' }).integer('PORT', 8080, { min: 0, max: 65_535 })).toBe(8080)
    expect(faultsOf({ INTERNAL_TOKEN: '' }, (reader) => reader.string('INTERNAL_TOKEN'))).toEqual([
      'INTERNAL_TOKEN is missing',
    ])
  })

  describe.each([
    'https://tv.example',
    'http://10.0.0.5:8080',
    'http://127.0.0.1.example',
    'http://localhost.example',
    'http://128.0.0.1',
    'http://[::2]',
    'nonsense',
  ])('with the SITE_URL %s', (SITE_URL) => {
    it('names every setting that contains an example secret', () => {
      const env = {
        SITE_URL,
        INTERNAL_TOKEN: 'dev-only-change-me-internal-token',
        DATABASE_URL: 'postgres://looptide_auth:dev-only-change-me@postgres:5432/looptide',
        NATS_URL: 'nats://auth:a-secret-of-their-own@nats:4222',
        NOT_READ: 'dev-only-change-me',
      }
      const faults = faultsOf(env, (reader) => ({ ...readCommon(reader, 1), ...readDatabase(reader) }))
      const named = faults.filter((fault) => fault.includes('an example secret'))
      expect(named.map((fault) => fault.split(' ')[0]).sort()).toEqual(['DATABASE_URL', 'INTERNAL_TOKEN'])
      expect(faults.join()).not.toContain('dev-only-change-me')
    })
  })

  it.each([
    undefined,
    '',
    'http://localhost:8080',
    'http://tv.localhost',
    'http://127.0.0.1',
    'http://127.1',
    'http://127.8.9.10:80/',
    'https://[::1]:8443',
  ])('accepts the example secrets with the SITE_URL %s', (SITE_URL) => {
    const INTERNAL_TOKEN = 'dev-only-change-me-internal-token'
    const env = { SITE_URL, INTERNAL_TOKEN, ...eventKeyEnv('chat') }
    expect(faultsOf(env, (reader) => readCommon(reader, 1))).toEqual([])
  })

  it('reads valid settings', () => {
    const keys = eventKeyEnv('chat')
    const reader = new EnvReader({ INTERNAL_TOKEN: TOKEN, PORT: '0', RATE_LIMIT_FACTOR: '0.5', ...keys })
    expect(readCommon(reader, 1)).toMatchObject({ internalToken: TOKEN, port: 0, rateLimitFactor: 0.5 })
    expect(() => reader.done()).not.toThrow()
  })

  it.each([
    ['65536', 'a number'],
    ['-1', 'a number'],
    ['1e999', 'a number'],
    ['0x', 'a number'],
    ['1.5', 'a whole number'],
  ])('refuses %s as a port', (text, why) => {
    const faults = faultsOf({ PORT: text }, (reader) => reader.integer('PORT', 1, { min: 0, max: 65_535 }))
    expect(faults.join()).toContain(why)
  })

  it('requires all files of INTERNAL_TLS_* or none, and refuses URLs without TLS if they are set', () => {
    expect(faultsOf({}, readInternalTls)).toEqual([])
    const files = { INTERNAL_TLS_CERT: '/tls.crt', INTERNAL_TLS_KEY: '/tls.key' }
    expect(faultsOf(files, readInternalTls)).toEqual(['INTERNAL_TLS_CA is missing'])
    const env = { INTERNAL_TLS_CA: '/ca.crt', PLAIN: 'redis://store', SECURE: 'rediss://store' }
    const read = (reader: EnvReader): void => {
      for (const name of ['PLAIN', 'SECURE']) reader.internalUrl(name)
    }
    expect(faultsOf(env, read).join()).toMatch(/^PLAIN must use TLS/)
    expect(faultsOf({ PLAIN: env.PLAIN, SECURE: env.SECURE }, read)).toEqual([])
  })
})
