import { writeFile } from 'node:fs/promises'
import { startPostgres } from '../postgres.ts'
import { dumpMigrated, serviceSchemas } from './service-schemas.ts'

// `pnpm schema:dump`: writes schema.sql and schema.ts of services/<name>/src/db.
const postgres = await startPostgres()
try {
  for (const service of serviceSchemas) {
    const { sql, types } = await dumpMigrated(service, postgres.url)
    await writeFile(service.files.sql, sql)
    await writeFile(service.files.types, types)
  }
} finally {
  await postgres.stop()
}
