import type { EnvReader } from '@looptide/service-kit/settings/env'
import type { Kysely } from 'kysely'
import type { Database } from './db/schema.ts'
import { setPseudonymiseDays } from './features/retention/retention-repository.ts'

/**
 * Reads the settings that the migration step stores in the database, as the owner of the tables: the service, which can
 * only read them, cannot shorten how long the audit log keeps personal data. Returns what stores them.
 */
export function readStoredSettings(reader: EnvReader): (db: Kysely<Database>) => Promise<void> {
  const pseudonymiseDays = reader.integer('AUDIT_PSEUDONYMISE_DAYS', 365, { min: 0, max: 3650 })
  return (db) => setPseudonymiseDays(db, pseudonymiseDays)
}
