import { repositoryRoot } from '../../../packages/backing/src/paths.ts'
import { exitWith } from '../../runner/src/terminal.ts'
import { createMigration } from './create-migration.ts'

// `pnpm migration:create <service> <name>`: writes a new migration and says what else belongs to it.
try {
  const [service, name] = process.argv.slice(2)
  const path = createMigration({ root: repositoryRoot, service, name, now: new Date() })
  console.log(
    `${path} created. Fill it in, add columns to src/db/schema.ts, then run \`pnpm schema:dump\` (CONTRIBUTING.md, "A migration").`,
  )
} catch (error) {
  exitWith(error)
}
