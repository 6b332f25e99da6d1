import { dirname, parse } from 'node:path'
import { databaseOwnerNames, databaseOwners } from '../../../packages/backing/src/database/owners.ts'
import { withClient } from '../../../packages/backing/src/database/set-up.ts'

/**
 * What a developer must know after a migration was written: when it runs, or that the change of an applied one has no
 * effect, and what to do.
 *
 * @param file its path from the root of the repository
 * @param databaseUrl the administrator's URL of the station's database
 */
export async function reportMigration(file: string, databaseUrl: string): Promise<string> {
  const { name } = parse(file)
  const owner = databaseOwnerNames.find((each) => databaseOwners[each].migrations === dirname(file))
  // A migration of a package belongs to every schema.
  const { schema } = databaseOwners[owner ?? 'auth']
  const { rowCount } = await withClient(databaseUrl, (client) =>
    client.query(`SELECT FROM ${schema}.kysely_migration WHERE name = $1`, [name]),
  )
  if (rowCount === 0) return `${file} runs at the next start of \`pnpm dev\`.`
  return `${file} has been applied: this change has no effect. If it was released, write another migration. Otherwise undo it in your database and run "DELETE FROM ${schema}.kysely_migration WHERE name = '${name}'", or start with another LOOPTIDE_DATA.`
}
