import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type DatabaseOwner, databaseOwners } from '@looptide/runner/database/owners'
import { withClient } from '@looptide/runner/database/set-up'
import { serviceFolder, stationServices } from '@looptide/runner/processes/services'
import { createDb, MIGRATION_TIMEOUTS, migrate } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { freshDatabase } from '../postgres.ts'
import { dumpSchema } from './dump-schema.ts'
import { writeTypes } from './write-types.ts'

const HEADER = `-- The schema after all migrations, for reading. Written by \`pnpm schema:dump\`; migrations change it.`

/** The services with tables: their name, schema files and the folder of their migrations. */
export const serviceSchemas = stationServices.flatMap((service) => {
  if (service.database === undefined) return []
  const folder = join(serviceFolder(service), 'src/db')
  const files = { sql: join(folder, 'schema.sql'), types: join(folder, 'schema.ts') }
  return [{ service: service.name, owner: service.database, files, migrations: join(folder, 'migrations') }]
})

/** The contents of the files that describe a service's tables. */
export interface SchemaTexts {
  sql: string
  types: string
}

/**
 * Migrates a new database of `server` and returns the contents of the service's schema files.
 *
 * @param server URL of a test server; default: the shared server of the test run
 */
export async function dumpMigrated(
  { owner, migrations, files }: (typeof serviceSchemas)[number],
  server?: string,
): Promise<SchemaTexts> {
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
    const { schema } = databaseOwners[owner]
    const source = await readFile(files.types, 'utf8')
    return {
      sql: await dumpOf(database.adminUrl, owner),
      types: await withClient(database.adminUrl, (client) => writeTypes(client, schema, source)),
    }
  } finally {
    await database.drop()
  }
}

/** The SQL of a service's schema in a migrated database. */
export async function dumpOf(adminUrl: string, owner: DatabaseOwner): Promise<string> {
  const { schema } = databaseOwners[owner]
  const dump = await withClient(adminUrl, (client) => dumpSchema(client, schema))
  return `${HEADER}\n\n${dump}\n`
}
