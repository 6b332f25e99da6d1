import {
  type CommonConfig,
  type DatabaseConfig,
  type Env,
  EnvReader,
  readCommon,
  readDatabase,
} from '@looptide/service-kit/settings/env'

export const env: Env = process.env

export interface AudienceConfig extends CommonConfig, DatabaseConfig {
  catalogueUrl: string
  chatUrl: string
  schedulerUrl: string
  /** Age from which an account may request videos, in hours. */
  minAccountAgeHours: number
  /** Minutes watched in the last day that a vote needs. */
  minWatchMinutes: number
  /** Days for which finished requests are kept: as long as their programmes in the air log. */
  airLogDays: number
}

/** Reads the settings of the audience service from `source`; throws a ConfigError that names every invalid one. */
export function loadConfig(source: Env): AudienceConfig {
  const reader = new EnvReader(source)
  const config: AudienceConfig = {
    ...readCommon(reader, 8107),
    ...readDatabase(reader),
    catalogueUrl: reader.internalUrl('CATALOGUE_URL', 'http://127.0.0.1:8102'),
    chatUrl: reader.internalUrl('CHAT_URL', 'http://127.0.0.1:8104'),
    schedulerUrl: reader.internalUrl('SCHEDULER_URL', 'http://127.0.0.1:8103'),
    minAccountAgeHours: reader.number('REQUESTS_MIN_ACCOUNT_AGE_HOURS', 24, { min: 0, max: 8760 }),
    minWatchMinutes: reader.number('VOTES_MIN_WATCH_MINUTES', 10, { min: 0, max: 1440 }),
    airLogDays: reader.integer('AIR_LOG_DAYS', 400, { min: 1, max: 36_500 }),
  }
  reader.done()
  return config
}
