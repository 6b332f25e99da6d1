import { createDb } from '@looptide/service-kit/db/db'
import { EnvReader, readDatabase } from '@looptide/service-kit/process/env'
import { createLogger } from '@looptide/service-kit/process/logger'
import { env } from './config.ts'
import { PasswordHasher } from './crypto/password-hasher.ts'
import type { Database } from './db/schema.ts'
import { ensureAdmin } from './features/user-management/ensure-admin.ts'

// `node src/create-admin.ts` creates or promotes the admin named by the settings and prints {"created":boolean}.
const reader = new EnvReader(env)
const { databaseUrl } = readDatabase(reader)
const email = reader.string('LOOPTIDE_ADMIN_EMAIL')
const password = reader.string('LOOPTIDE_ADMIN_PASSWORD')
reader.done()

const db = createDb<Database>(databaseUrl, createLogger('auth', 'warn'), 1)
try {
  const created = await ensureAdmin(db, new PasswordHasher(1), { email, password })
  process.stdout.write(`${JSON.stringify({ created })}\n`)
} finally {
  await db.destroy()
}
