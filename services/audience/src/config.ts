import { isNetwork } from '@looptide/service-kit/outbound/allowed-address'
import {
  type CommonConfig,
  type DatabaseConfig,
  type Env,
  EnvReader,
  readCommon,
  readDatabase,
} from '@looptide/service-kit/settings/env'
import { type VapidKeys, vapidKeysOf } from './features/push/vapid-keys.ts'

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
  /** The keys with which the station identifies itself to push services; undefined: it sends no pushes. */
  vapidKeys: VapidKeys | undefined
  /** Networks (CIDRs) to which pushes may be sent, besides the internet. */
  pushNetworks: readonly string[]
}

/** Reads the settings of the audience service from `source`; throws a ConfigError that names every invalid one. */
export function loadConfig(source: Env): AudienceConfig {
  const reader = new EnvReader(source)
  const vapidKey = reader.optional('VAPID_PRIVATE_KEY')
  const config: AudienceConfig = {
    ...readCommon(reader, 8107),
    ...readDatabase(reader),
    catalogueUrl: reader.internalUrl('CATALOGUE_URL', 'http://127.0.0.1:8102'),
    chatUrl: reader.internalUrl('CHAT_URL', 'http://127.0.0.1:8104'),
    schedulerUrl: reader.internalUrl('SCHEDULER_URL', 'http://127.0.0.1:8103'),
    minAccountAgeHours: reader.number('REQUESTS_MIN_ACCOUNT_AGE_HOURS', 24, { min: 0, max: 8760 }),
    minWatchMinutes: reader.number('VOTES_MIN_WATCH_MINUTES', 10, { min: 0, max: 1440 }),
    airLogDays: reader.integer('AIR_LOG_DAYS', 400, { min: 1, max: 36_500 }),
    vapidKeys:
      vapidKey === undefined ? undefined : reader.parsed('VAPID_PRIVATE_KEY', () => vapidKeysOf(vapidKey)),
    pushNetworks: reader.list(
      'PUSH_ALLOWED_NETWORKS',
      isNetwork,
      'networks separated by commas, such as 10.1.0.0/16',
    ),
  }
  reader.done()
  return config
}
