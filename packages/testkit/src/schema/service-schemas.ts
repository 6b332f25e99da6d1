import { dirname, join } from 'node:path'
import { type DatabaseOwner, databaseOwnerNames, databaseOwners } from '@looptide/backing/database/owners'
import { withClient } from '@looptide/backing/database/set-up'
import { repositoryRoot } from '@looptide/backing/paths'
import { createDb, MIGRATION_TIMEOUTS, migrate } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { freshDatabase } from '../postgres.ts'
import { dumpSchema } from './dump-schema.ts'

const HEADER = `-- The schema after all migrations, for reading. Written by \`pnpm schema:dump\`; migrations change it.`

/** Every service with tables: its schema file and the folder of its migrations. */
export const serviceSchemas = databaseOwnerNames.map((owner) => {
  const migrations = join(repositoryRoot, databaseOwners[owner].migrations)
  return { owner, file: join(dirname(migrations), 'schema.sql'), migrations }
})

/**
 * Migrates a new database of `server` and returns the content of the service's schema file.
 *
 * @param server URL of a test server; default: the shared server of the test run
 */
export async function dumpMigrated(
  { owner, migrations }: (typeof serviceSchemas)[number],
  server?: string,
): Promise<string> {
  const database = await freshDatabase(server)
  try {
    const db = createDb(
      database.migrationUrlFor(owner),
      createLogger('schema', 'warn'),
      1,
      MIGRATION_TIMEOUTS,
    )
    try {
      await migrate(db, migrations)
    } finally {
      await db.destroy()
    }
    return await dumpOf(database.adminUrl, owner)
  } finally {
    await database.drop()
  }
}

/** The content of a service's schema file for a migrated database. */
export async function dumpOf(adminUrl: string, owner: DatabaseOwner): Promise<string> {
  const { schema } = databaseOwners[owner]
  const dump = await withClient(adminUrl, (client) => dumpSchema(client, schema))
  return `${HEADER}\n\n${dump}\n`
}
