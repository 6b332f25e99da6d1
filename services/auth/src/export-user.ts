import { createDb, PROGRAM_TIMEOUTS } from '@looptide/service-kit/db/db'
import { printPart } from '@looptide/service-kit/process/export-program'
import { EnvReader, readDatabase } from '@looptide/service-kit/settings/env'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { env } from './config.ts'
import type { Database } from './db/schema.ts'
import { exportForOperator } from './features/account/collect-account.ts'

// `node src/export-user.ts` prints the account of EXPORT_PERSON, an id or email; nothing for an unknown one.
const reader = new EnvReader(env)
const { databaseUrl } = readDatabase(reader)
reader.done()
const db = createDb<Database>(databaseUrl, createLogger('auth', 'warn'), 1, PROGRAM_TIMEOUTS)
try {
  const account = await exportForOperator(db, env.EXPORT_PERSON ?? '')
  if (account !== undefined) await printPart('account', [account])
} finally {
  await db.destroy()
}
