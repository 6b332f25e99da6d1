import { isNetwork } from '@looptide/service-kit/outbound/allowed-address'
import type { ScannerAddress } from '@looptide/service-kit/pictures/clamd'
import { readMalwareScanner } from '@looptide/service-kit/pictures/malware-scanner'
import {
  type CommonConfig,
  type DatabaseConfig,
  type Env,
  EnvReader,
  readCommon,
  readDatabase,
} from '@looptide/service-kit/settings/env'
import type { Kysely } from 'kysely'
import type { Database } from './db/schema.ts'
import { setPseudonymiseDays } from './features/retention/retention-repository.ts'

export const env: Env = process.env

export interface AdminAuditConfig extends CommonConfig, DatabaseConfig {
  /** Scans uploaded pictures for malware; undefined: they are not scanned. */
  malwareScanner: ScannerAddress | undefined
  /** Networks (CIDRs) to which webhooks may be sent, besides the internet. */
  webhookNetworks: readonly string[]
}

/** Reads the settings of this service. Throws a ConfigError that names every invalid variable. */
export function loadConfig(source: Env): AdminAuditConfig {
  const reader = new EnvReader(source)
  const config: AdminAuditConfig = {
    ...readCommon(reader, 8105),
    ...readDatabase(reader),
    malwareScanner: readMalwareScanner(reader),
    webhookNetworks: reader.list(
      'WEBHOOK_ALLOWED_NETWORKS',
      isNetwork,
      'networks separated by commas, such as 10.1.0.0/16',
    ),
  }
  reader.done()
  return config
}

/**
 * Reads the settings that the migration step stores in the database, as the owner of the tables: the service, which can
 * only read them, cannot shorten how long the audit log keeps personal data. Returns what stores them.
 */
export function readStoredSettings(reader: EnvReader): (db: Kysely<Database>) => Promise<void> {
  const pseudonymiseDays = reader.integer('AUDIT_PSEUDONYMISE_DAYS', 365, { min: 0, max: 3650 })
  return (db) => setPseudonymiseDays(db, pseudonymiseDays)
}
