import {
  type CommonConfig,
  type DatabaseConfig,
  type Env,
  EnvReader,
  readCommon,
  readDatabase,
} from '@looptide/service-kit/process/env'

export const env: Env = process.env

export interface AdminAuditConfig extends CommonConfig, DatabaseConfig {}

/** Reads the settings of this service. Throws a ConfigError that names every invalid variable. */
export function loadConfig(source: Env): AdminAuditConfig {
  const reader = new EnvReader(source)
  const config: AdminAuditConfig = { ...readCommon(reader, 8105), ...readDatabase(reader) }
  reader.done()
  return config
}
