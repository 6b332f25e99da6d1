import { expect, it } from 'vitest'
import { settingsSource } from './settings-source.ts'

const shown = async (config: object) =>
  Object.fromEntries((await settingsSource(config).read()).map(({ setting, value }) => [setting, value]))

it('shows settings by name, nested ones with their path', async () => {
  expect(
    await shown({
      port: 8080,
      debug: true,
      none: null,
      origins: ['https://a.test', 'https://b.test'],
      brand: { name: 'TV' },
    }),
  ).toEqual({
    port: '8080',
    debug: 'true',
    none: 'not set',
    origins: 'https://a.test/, https://b.test/',
    'brand.name': 'TV',
  })
})

it('shows of a secret only whether it is set', async () => {
  const secret = 'hush-hush'
  const text = JSON.stringify(
    await shown({
      internalToken: secret,
      internalTokensAccepted: [secret],
      databaseUrl: `postgres://chat:${secret}@db:5432/tv?password=${secret}`,
      broken: `//${secret}@://`,
      youtube: { apiKey: secret, calls: 5 },
      eventKeys: new (class {
        signing = secret
      })(),
    }),
  )
  expect(text).not.toContain(secret)
  expect(text).toContain('postgres://db:5432/tv')
  expect(text).toContain('"internalToken":"set (not shown)"')
})
