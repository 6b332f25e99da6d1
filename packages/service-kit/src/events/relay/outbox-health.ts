import { type Kysely, sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { EventTables } from '../../db/event-tables.ts'
import type { HealthCheck } from '../../http/health.ts'
import type { Metrics } from '../../telemetry/metrics.ts'

/** The service is degraded if an event is unpublished for longer than this, in ms. */
const STALLED_MS = 10_000
/** Rows are counted up to this number. */
const MAX_COUNTED = 10_000

interface Backlog {
  oldestS: number
  count: number
}

/** Number of unpublished events and the age of the oldest one (s, by the database's clock; 0 if there is none). */
async function readBacklog(db: Kysely<EventTables>): Promise<Backlog> {
  const { rows } = await sql<Backlog>`
    select
      coalesce((select extract(epoch from clock_timestamp() - written_at)::float8 from outbox order by seq limit 1), 0)
        as oldest_s,
      (select count(*) from (select from outbox limit ${MAX_COUNTED}) counted) as count`.execute(db)
  return rows[0] ?? { oldestS: 0, count: 0 }
}

/** Health check: fails if an event has been unpublished for too long, for any reason. */
export const outboxCheck = (db: Kysely<EventTables>): HealthCheck => ({
  name: 'outbox',
  check: async () => {
    const { oldestS, count } = await readBacklog(db)
    if (oldestS * 1000 > STALLED_MS) {
      throw new Error(`outbox stalled: ${count} events, the oldest for ${Math.round(oldestS)} s`)
    }
  },
})

/** Registers both gauges. They are read at each scrape of `/metrics`, so that they are correct if the relay hangs. */
export function measureOutbox(metrics: Metrics, db: Kysely<EventTables>): void {
  const gauge = (name: string, help: string, read: (backlog: Backlog) => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [metrics.registry],
      async collect() {
        // During a database outage the gauge keeps its last value.
        const backlog = await readBacklog(db).catch(() => undefined)
        if (backlog !== undefined) this.set(read(backlog))
      },
    })
  gauge(
    'looptide_outbox_oldest_seconds',
    'Age of the oldest event that JetStream has not acknowledged; 0 when there is none.',
    ({ oldestS }) => oldestS,
  )
  gauge(
    'looptide_outbox_backlog',
    'Events written but not yet acknowledged by JetStream (counted up to 10000).',
    ({ count }) => count,
  )
}
