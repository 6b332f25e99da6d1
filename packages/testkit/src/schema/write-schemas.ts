import { writeFile } from 'node:fs/promises'
import { startPostgres } from '../postgres.ts'
import { dumpMigrated, serviceSchemas } from './service-schemas.ts'

// `pnpm schema:dump`: writes services/<name>/src/db/schema.sql.
const postgres = await startPostgres()
try {
  for (const service of serviceSchemas)
    await writeFile(service.file, await dumpMigrated(service, postgres.url))
} finally {
  await postgres.stop()
}
