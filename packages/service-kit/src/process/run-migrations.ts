import type { Kysely } from 'kysely'
import { createDb, MIGRATION_TIMEOUTS, migrate } from '../db/db.ts'
import { type Env, EnvReader, readDatabase } from '../settings/env.ts'
import { createLogger } from '../telemetry/logger.ts'

/**
 * Main function of a service's `migrate.ts`: migrates the schema and exits. `readSettings` reads settings that are kept in
 * the database, and returns what stores them after the migrations.
 */
export async function runMigrations<Tables = unknown>(
  service: string,
  folder: string,
  env: Env,
  readSettings?: (reader: EnvReader) => (db: Kysely<Tables>) => Promise<void>,
): Promise<void> {
  const reader = new EnvReader(env)
  const { databaseUrl } = readDatabase(reader)
  const storeSettings = readSettings?.(reader)
  reader.done()
  const logger = createLogger(service, 'info')
  const db = createDb<Tables>(databaseUrl, logger, 1, MIGRATION_TIMEOUTS)
  try {
    const names = await migrate(db, folder)
    await storeSettings?.(db)
    logger.info({ migrations: names }, names.length === 0 ? 'schema up to date' : 'schema migrated')
  } finally {
    await db.destroy()
  }
}
