import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createDb, PROGRAM_TIMEOUTS } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { eventKeyEnv } from '@looptide/testkit/event-keys'
import { freshDatabase } from '@looptide/testkit/postgres'
import { expect, it } from 'vitest'
import { env } from '../src/config.ts'
import type { Database } from '../src/db/schema.ts'

const run = promisify(execFile)
const script = (name: string): string => fileURLToPath(new URL(`../src/${name}.ts`, import.meta.url))

it('migrates twice, creates the admin once, adds a key', async () => {
  const database = await freshDatabase()
  const settings = {
    ...env,
    ...eventKeyEnv('auth'),
    DATABASE_URL: database.urlFor('auth'),
    INTERNAL_TOKEN: 'an internal token for tests, long enough',
    AUTH_KEY_SECRET: 'a secret for tests, long enough to pass',
    LOOPTIDE_ADMIN_EMAIL: 'Boss@Example.test',
    LOOPTIDE_ADMIN_PASSWORD: 'a password for the boss',
  }
  const call = async (name: string, ...args: string[]) =>
    (await run(process.execPath, [script(name), ...args], { env: settings })).stdout
  await call('migrate')
  await call('migrate')
  const created = '{"created":true,"passwordSet":true}\n'
  const unchanged = '{"created":false,"passwordSet":false}\n'
  expect(await call('create-admin', '--first')).toBe(created)
  expect(await call('create-admin', '--first')).toBe(unchanged)
  settings.LOOPTIDE_ADMIN_EMAIL = 'second@example.test'
  expect(await call('create-admin', '--first')).toBe(unchanged)
  expect(await call('create-admin')).toBe(created)
  expect(await call('create-admin')).toBe(unchanged)
  const db = createDb<Database>(database.urlFor('auth'), createLogger('test', 'silent'), 1, PROGRAM_TIMEOUTS)
  const profiles = await db.selectFrom('profiles').select('handle').orderBy('createdAt').execute()
  await db.destroy()
  expect(profiles.map(({ handle }) => handle)).toEqual(['admin', expect.stringMatching(/^admin_\d+$/)])
  expect(JSON.parse(await call('rotate-keys')).kid).toMatch(/^[0-9a-f-]{36}$/)
  const otherSecret = { ...settings, AUTH_KEY_SECRET: 'another secret that is long enough, too' }
  for (const name of ['rotate-keys', 'revoke-key']) {
    await expect(run(process.execPath, [script(name)], { env: otherSecret })).rejects.toThrow(
      'AUTH_KEY_SECRET is not the one that the database was encrypted with',
    )
  }
  await expect(
    run(process.execPath, [script('create-admin')], { env: { ...settings, LOOPTIDE_ADMIN_EMAIL: '' } }),
  ).rejects.toThrow('LOOPTIDE_ADMIN_EMAIL is missing')
  await database.drop()
})
