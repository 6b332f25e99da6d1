import { repositoryRoot } from '../../../packages/backing/src/paths.ts'
import { exitWith } from '../../runner/src/terminal.ts'
import { createMigration } from './create-migration.ts'

// `pnpm migration:create <service> <name>`: writes a new migration and says what else belongs to it.
try {
  const [service, name] = process.argv.slice(2)
  const path = createMigration({ root: repositoryRoot, service, name, now: new Date() })
  console.log(
    `${path} created. Fill it in, run \`pnpm schema:dump\`, then describe new tables and columns of users in src/db/tables.ts (CONTRIBUTING.md, "A migration").`,
  )
} catch (error) {
  exitWith(error)
}
