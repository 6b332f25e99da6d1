import {
  type CommonConfig,
  type DatabaseConfig,
  type Env,
  EnvReader,
  readCommon,
  readDatabase,
} from '@looptide/service-kit/settings/env'

export const env: Env = process.env

export interface ChatConfig extends CommonConfig, DatabaseConfig {
  /** Days after which messages are deleted; 0 keeps them forever. */
  retentionDays: number
}

/** Reads the settings of the chat service from `source`; throws a ConfigError that names every invalid one. */
export function loadConfig(source: Env): ChatConfig {
  const reader = new EnvReader(source)
  const config: ChatConfig = {
    ...readCommon(reader, 8104),
    ...readDatabase(reader),
    retentionDays: reader.number('CHAT_RETENTION_DAYS', 90, { min: 0, max: 36_500 }),
  }
  reader.done()
  return config
}
