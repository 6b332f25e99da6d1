import { createDb, PROGRAM_TIMEOUTS } from '@looptide/service-kit/db/db'
import { EnvReader, readDatabase } from '@looptide/service-kit/settings/env'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { Registry } from 'prom-client'
import { createAuthMetrics } from './auth-metrics.ts'
import { env, readBreachedPasswordsUrl } from './config.ts'
import { PasswordHasher } from './crypto/password-hasher.ts'
import type { Database } from './db/schema.ts'
import { ensureAdmin } from './features/account/ensure-admin.ts'
import { BreachedPasswords } from './features/credential/password/breached-passwords.ts'

// `node src/create-admin.ts [--first]` creates or promotes the admin named by the settings and prints what it did. With
// `--first` it does nothing in a database that has had an admin before.
const reader = new EnvReader(env)
const { databaseUrl } = readDatabase(reader)
const email = reader.string('LOOPTIDE_ADMIN_EMAIL')
const password = reader.string('LOOPTIDE_ADMIN_PASSWORD')
const url = readBreachedPasswordsUrl(reader)
reader.done()

const logger = createLogger('auth', 'warn')
const db = createDb<Database>(databaseUrl, logger, 1, PROGRAM_TIMEOUTS)
const metrics = createAuthMetrics(new Registry())
const breached = new BreachedPasswords({ url, metrics, logger, now: Date.now })
try {
  const deps = { db, hasher: new PasswordHasher(1), breached }
  const ensured = await ensureAdmin(deps, { email, password }, process.argv.includes('--first'))
  process.stdout.write(`${JSON.stringify(ensured)}\n`)
} finally {
  await db.destroy()
}
