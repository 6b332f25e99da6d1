import { databaseOwnerNames, databaseOwners } from '@looptide/backing/database/owners'
import type { Retention } from '@looptide/service-kit/db/tables'
import { SERVICE_TABLES } from '../../support/service-tables.ts'
import { KEPT_DAYS } from '../fast-station.ts'

/** The retention period of a table. */
export interface TableRetention {
  table: string
  /** SQL expression for a row's time; rows for which it is older than `hours` must have been deleted. */
  at: string
  hours: number
}

const DAY = 24
/** Tolerance for the hourly housekeeping, also after an outage (simulated hours). */
export const TOLERANCE_HOURS = 12

/** Relays prune every 30 real seconds, which are 30 hours of a clock that runs an hour a second. */
const RELAY_HOURS = 48

/** Days of the settings that the station of the test has. */
const DAYS_OF: Readonly<Record<string, number>> = {
  CHAT_RETENTION_DAYS: KEPT_DAYS.chat,
  AIR_LOG_DAYS: KEPT_DAYS.airLog,
}

function hoursOf(table: string, bound: Retention): number {
  if ('hours' in bound) return bound.hours
  const days = DAYS_OF[bound.setting]
  if (days === undefined) throw new Error(`${table}: add ${bound.setting} to DAYS_OF and to KEPT_DAYS`)
  return days * DAY
}

export const RETENTIONS: readonly TableRetention[] = [
  ...databaseOwnerNames.map((owner) => ({
    table: `${databaseOwners[owner].schema}.inbox`,
    at: 'received_at',
    hours: 8 * DAY,
  })),
  ...databaseOwnerNames.map((owner) => {
    const table = `${databaseOwners[owner].schema}.published_events`
    // The newest event of a stream is never deleted.
    const isOlder = `stream_seq < (select max(n.stream_seq) from ${table} n where n.stream = ${table}.stream)`
    return { table, at: `case when ${isOlder} then published_at end`, hours: RELAY_HOURS }
  }),
  ...SERVICE_TABLES.flatMap(({ table, bound }) =>
    typeof bound === 'string' ? [] : [{ table, at: bound.at, hours: hoursOf(table, bound) }],
  ),
]

/** Tables with a bound, by `src/db/tables.ts` of the services. A test finds a table that is missing here. */
export const BOUNDED: readonly string[] = SERVICE_TABLES.map(({ table }) => table)

/** Tables of each schema. The outbox and the dead letters must be empty; a lease has one row per name. */
export const EVENT_TABLES: readonly string[] = [
  'outbox',
  'published_events',
  'leases',
  'inbox',
  'dead_letters',
]
