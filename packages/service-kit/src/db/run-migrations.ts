import { type Env, EnvReader, readDatabase } from '../process/env.ts'
import { createLogger } from '../process/logger.ts'
import { createDb, MIGRATION_TIMEOUTS, migrate } from './db.ts'

/** Main function of a service's `migrate.ts`: migrates the schema and exits. */
export async function runMigrations(service: string, folder: string, env: Env): Promise<void> {
  const reader = new EnvReader(env)
  const { databaseUrl } = readDatabase(reader)
  reader.done()
  const logger = createLogger(service, 'info')
  const db = createDb<unknown>(databaseUrl, logger, 1, MIGRATION_TIMEOUTS)
  try {
    const names = await migrate(db, folder)
    logger.info({ migrations: names }, names.length === 0 ? 'schema up to date' : 'schema migrated')
  } finally {
    await db.destroy()
  }
}
