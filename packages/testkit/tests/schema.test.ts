import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { dumpMigrated, serviceSchemas } from '../src/schema/service-schemas.ts'

it.each(serviceSchemas)(
  'schema.sql and schema.ts of $owner are up to date (else: pnpm schema:dump)',
  async (service) => {
    const { sql, types } = await dumpMigrated(service)
    expect(await readFile(service.files.sql, 'utf8')).toBe(sql)
    expect(await readFile(service.files.types, 'utf8')).toBe(types)
  },
)
