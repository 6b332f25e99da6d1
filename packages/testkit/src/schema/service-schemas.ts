import { join } from 'node:path'
import { type DatabaseOwner, databaseOwners } from '@looptide/runner/database/owners'
import { withClient } from '@looptide/runner/database/set-up'
import { serviceFolder, stationServices } from '@looptide/runner/processes/services'
import { createDb, MIGRATION_TIMEOUTS, migrate } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { freshDatabase } from '../postgres.ts'
import { dumpSchema } from './dump-schema.ts'

const HEADER = `-- The schema after all migrations, for reading. Written by \`pnpm schema:dump\`; migrations change it.`

/** The services with tables: their name, schema file and the folder of their migrations. */
export const serviceSchemas = stationServices.flatMap((service) => {
  if (service.database === undefined) return []
  const folder = join(serviceFolder(service), 'src/db')
  const [file, migrations] = [join(folder, 'schema.sql'), join(folder, 'migrations')]
  return [{ service: service.name, owner: service.database, file, migrations }]
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
