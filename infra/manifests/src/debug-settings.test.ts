import { serviceNames } from '@looptide/backing/service-names'
import { settingsSource } from '@looptide/service-kit/debug/settings-source'
import { eventKeyEnv } from '@looptide/testkit/event-keys'
import { expect, it } from 'vitest'
import { SETTINGS_READERS } from './settings-readers.ts'

const SECRET = 'a-secret-that-no-page-may-show-0123456789'
const KEYS = eventKeyEnv('chat')
const VAPID_KEY = Buffer.alloc(32, 7).toString('base64url')
const ENV = {
  ...KEYS,
  VAPID_PRIVATE_KEY: VAPID_KEY,
  INTERNAL_TOKEN: SECRET,
  INTERNAL_TOKEN_PREVIOUS: SECRET,
  AUTH_KEY_SECRET: SECRET,
  AUTH_KEY_SECRET_PREVIOUS: SECRET,
  AUTH_SERVICE_KEY: SECRET,
  AUTH_SERVICE_KEY_PREVIOUS: SECRET,
  OIDC_PROVIDERS: JSON.stringify([
    {
      id: 'company',
      name: 'Company',
      issuer: 'https://id.example.com',
      clientId: 'tv',
      clientSecret: SECRET,
    },
  ]),
  YOUTUBE_API_KEY: SECRET,
  DATABASE_URL: `postgres://role:${SECRET}@127.0.0.1/tv`,
  NATS_URL: `nats://user:${SECRET}@127.0.0.1:4222`,
  REDIS_URL: `redis://:${SECRET}@127.0.0.1:6379`,
  SMTP_URL: `smtps://user:${SECRET}@mail.example.com`,
}

it.each(serviceNames)('the settings of %s on /debug contain no secret', async (name) => {
  const config = SETTINGS_READERS[name](ENV)
  const text = JSON.stringify(await settingsSource(config).read())
  expect(text).toContain('set (not shown)')
  for (const secret of [SECRET, VAPID_KEY, KEYS.EVENT_SIGNING_KEY]) expect(text).not.toContain(secret)
})
