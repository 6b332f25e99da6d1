import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type DatabaseOwner, databaseOwnerNames, databaseOwners } from '@looptide/backing/database/owners'
import { withClient } from '@looptide/backing/database/set-up'
import { repositoryRoot } from '@looptide/backing/paths'
import { createDb, MIGRATION_TIMEOUTS, migrate } from '@looptide/service-kit/db/db'
import { createLogger } from '@looptide/service-kit/telemetry/logger'
import { freshDatabase } from '../postgres.ts'
import { dumpSchema } from './dump-schema.ts'
import { writeTypes } from './write-types.ts'

const HEADER = `-- The schema after all migrations, for reading. Written by \`pnpm schema:dump\`; migrations change it.`

/** Every service with tables: its schema files and the folder of its migrations. */
export const serviceSchemas = databaseOwnerNames.map((owner) => {
  const migrations = join(repositoryRoot, databaseOwners[owner].migrations)
  const folder = dirname(migrations)
  const files = { sql: join(folder, 'schema.sql'), types: join(folder, 'schema.ts') }
  return { owner, files, migrations }
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
