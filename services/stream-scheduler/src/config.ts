import {
  type CommonConfig,
  type DatabaseConfig,
  type Env,
  EnvReader,
  readCommon,
  readDatabase,
} from '@looptide/service-kit/env'

export const env: Env = process.env

export interface SchedulerConfig extends CommonConfig, DatabaseConfig {
  catalogueUrl: string
  /** Programmes that were on the air longer ago than this (days) leave the air log. */
  airLogDays: number
  /** Longest video (ms) that the default channel plays by itself, without one of a playlist. */
  fallbackMaxMs: number
}

/** How long a transaction may hold its locks without a word from us (ms): a process that was stopped in the middle of one must not stop its channel. */
const IDLE_IN_TRANSACTION_MS = 4000

/** The settings of this service. Throws a ConfigError that names every faulty variable. */
export function loadConfig(from: Env): SchedulerConfig {
  const reader = new EnvReader(from)
  const database = readDatabase(reader)
  const config = {
    ...readCommon(reader, 8103),
    ...database,
    catalogueUrl: reader.url('CATALOGUE_URL', 'http://127.0.0.1:8102'),
    airLogDays: reader.integer('AIR_LOG_DAYS', 400, { min: 1, max: 36_500 }),
    fallbackMaxMs: reader.integer('FALLBACK_MAX_MINUTES', 15, { min: 1, max: 1440 }) * 60_000,
  }
  reader.done()
  return { ...config, databaseUrl: withShortTransactions(database.databaseUrl) }
}

/** Adds the session setting to a connection URL; Postgres then ends a transaction that went silent. */
export function withShortTransactions(databaseUrl: string): string {
  const url = new URL(databaseUrl)
  url.searchParams.set('idle_in_transaction_session_timeout', String(IDLE_IN_TRANSACTION_MS))
  return url.href
}
