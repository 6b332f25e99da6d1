import {
  type CommonConfig,
  type DatabaseConfig,
  type Env,
  EnvReader,
  readCommon,
  readDatabase,
} from '@looptide/service-kit/settings/env'

import type { NewAccountRules } from './features/messages/rate-limit.ts'

const HOUR_MS = 3_600_000

export const env: Env = process.env

export interface ChatConfig extends CommonConfig, DatabaseConfig {
  /** Days after which messages are deleted; 0 keeps them forever. */
  retentionDays: number
  newAccounts: NewAccountRules
}

/** Reads the settings of the chat service from `source`; throws a ConfigError that names every invalid one. */
export function loadConfig(source: Env): ChatConfig {
  const reader = new EnvReader(source)
  const config: ChatConfig = {
    ...readCommon(reader, 8104),
    ...readDatabase(reader),
    retentionDays: reader.number('CHAT_RETENTION_DAYS', 90, { min: 0, max: 36_500 }),
    newAccounts: {
      linksFromAgeMs: reader.number('CHAT_LINKS_MIN_ACCOUNT_AGE_HOURS', 24, { min: 0, max: 8760 }) * HOUR_MS,
      slowModeS: reader.number('CHAT_NEW_ACCOUNT_SLOW_MODE_S', 10, { min: 0, max: 3600 }),
    },
  }
  reader.done()
  return config
}
