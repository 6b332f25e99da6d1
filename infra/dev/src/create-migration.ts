import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Failure } from '../../../packages/backing/src/failure.ts'
import { stationServices } from '../../runner/src/processes/services.ts'

const NAME = /^[a-z0-9]+(-[a-z0-9]+)*$/

/**
 * A migration that fails until it is filled in: run empty, it would count as applied. Migrations are found by their folder
 * and need no registration.
 */
const TEMPLATE = `import { type Kysely, sql } from 'kysely'

/** What changes, and why. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql\`select fill_in_this_migration()\`.execute(db)
}
`

interface MigrationRequest {
  /** Root folder of the repository. */
  root: string
  service: string | undefined
  name: string | undefined
  now: Date
}

/**
 * Writes a new migration of a service, named by its time (UTC) so that it runs after all others.
 *
 * @returns the file's path from the root
 * @throws Failure for a service without a database, or a name that is not kebab-case
 */
export function createMigration({ root, service, name, now }: MigrationRequest): string {
  const owners = stationServices.filter(({ database }) => database !== undefined)
  const owner = owners.find((known) => known.name === service)
  if (owner === undefined)
    throw new Failure(`Name a service with a database: ${owners.map((known) => known.name).join(', ')}.`)
  if (name === undefined || !NAME.test(name))
    throw new Failure('Name the migration in lower case with hyphens, such as pinned-messages.')
  const time = now.toISOString().replaceAll(/\D/g, '').slice(0, 14)
  const path = join(owner.folder, 'src/db/migrations', `${time}-${name}.ts`)
  if (existsSync(join(root, path))) throw new Failure(`${path} exists already.`)
  writeFileSync(join(root, path), TEMPLATE)
  return path
}
