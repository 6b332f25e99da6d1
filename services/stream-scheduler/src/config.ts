import {
  type CommonConfig,
  type DatabaseConfig,
  type Env,
  EnvReader,
  readCommon,
  readDatabase,
  readRequests,
} from '@looptide/service-kit/settings/env'

export const env: Env = process.env

export interface SchedulerConfig extends CommonConfig, DatabaseConfig {
  catalogueUrl: string
  /** Days for which programmes are kept in the air log. */
  airLogDays: number
  /** Longest video (ms) that the default channel plays while its playlist is empty, unless it is on another playlist. */
  fallbackMaxMs: number
  /** Who publishes schedules: everybody who edits them, or only people who manage channels. */
  scheduleApproval: ScheduleApproval
  /** The channels that a first start creates beside the default channel. */
  demoChannels: DemoChannels
  /** Whether slots for viewers' requests play them; their fallbacks otherwise. */
  requests: 'on' | 'off'
}

const scheduleApproval = ['off', 'required'] as const
export type ScheduleApproval = (typeof scheduleApproval)[number]

const demoChannels = ['all', 'test-card', 'none'] as const
export type DemoChannels = (typeof demoChannels)[number]

/** Longest time (ms) a transaction may be idle: a suspended process must not keep the locks of its channels. */
const IDLE_IN_TRANSACTION_MS = 4000

/** Reads the settings of the stream scheduler. Throws a ConfigError that names every invalid variable. */
export function loadConfig(from: Env): SchedulerConfig {
  const reader = new EnvReader(from)
  const database = readDatabase(reader)
  const config = {
    ...readCommon(reader, 8103),
    ...database,
    catalogueUrl: reader.internalUrl('CATALOGUE_URL', 'http://127.0.0.1:8102'),
    airLogDays: reader.integer('AIR_LOG_DAYS', 400, { min: 1, max: 36_500 }),
    fallbackMaxMs: reader.integer('FALLBACK_MAX_MINUTES', 15, { min: 1, max: 1440 }) * 60_000,
    scheduleApproval: reader.choice('SCHEDULE_APPROVAL', scheduleApproval, 'off'),
    demoChannels: reader.choice('DEMO_CHANNELS', demoChannels, 'all'),
    requests: readRequests(reader),
  }
  reader.done()
  return { ...config, databaseUrl: withShortTransactions(database.databaseUrl) }
}

/** Adds the session setting to a connection URL with which Postgres ends idle transactions. */
export function withShortTransactions(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('idle_in_transaction_session_timeout', String(IDLE_IN_TRANSACTION_MS))
  return url.href
}
