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

export const env: Env = process.env

export interface AdminAuditConfig extends CommonConfig, DatabaseConfig {
  /** Scans uploaded pictures for malware; undefined: they are not scanned. */
  malwareScanner: ScannerAddress | undefined
}

/** Reads the settings of this service. Throws a ConfigError that names every invalid variable. */
export function loadConfig(source: Env): AdminAuditConfig {
  const reader = new EnvReader(source)
  const config: AdminAuditConfig = {
    ...readCommon(reader, 8105),
    ...readDatabase(reader),
    malwareScanner: readMalwareScanner(reader),
  }
  reader.done()
  return config
}
