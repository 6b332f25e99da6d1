import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { dumpMigrated, serviceSchemas } from '../src/schema/service-schemas.ts'

it.each(serviceSchemas)(
  'the schema.sql of $owner is up to date (else: pnpm schema:dump)',
  async (service) => {
    expect(await readFile(service.file, 'utf8')).toBe(await dumpMigrated(service))
  },
)
