import {
  type CommonConfig,
  type DatabaseConfig,
  type Env,
  EnvReader,
  readCommon,
  readDatabase,
} from '@looptide/service-kit/env'

export const env: Env = process.env

export type CatalogueConfig = CommonConfig & DatabaseConfig

/** The settings of this service. Throws a ConfigError that names every faulty variable. */
export function loadConfig(from: Env): CatalogueConfig {
  const reader = new EnvReader(from)
  const config = { ...readCommon(reader, 8102), ...readDatabase(reader) }
  reader.done()
  return config
}
