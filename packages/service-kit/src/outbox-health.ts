import { type Kysely, sql } from 'kysely'
import { Gauge } from 'prom-client'
import type { EventTables } from './event-tables.ts'
import type { HealthCheck } from './health.ts'
import type { Metrics } from './metrics.ts'

/** An event that waits longer than this (ms) makes the service degraded. */
const STALLED_MS = 10_000
/** Rows are counted up to here: how many more there are makes no difference. */
const MOST_COUNTED = 10_000

type Waiting = { oldestS: number; count: number }

/** Age of the oldest unpublished event (s, by the database's clock), 0 when there is none, and how many there are. */
async function waitingIn(db: Kysely<EventTables>): Promise<Waiting> {
  const { rows } = await sql<Waiting>`
    select
      coalesce((select extract(epoch from clock_timestamp() - written_at)::float8 from outbox order by seq limit 1), 0)
        as oldest_s,
      (select count(*) from (select from outbox limit ${MOST_COUNTED}) counted) as count`.execute(db)
  return rows[0] ?? { oldestS: 0, count: 0 }
}

/** Fails when events wait too long to be published, whatever the reason. */
export const outboxCheck = (db: Kysely<EventTables>): HealthCheck => ({
  name: 'outbox',
  check: async () => {
    const { oldestS, count } = await waitingIn(db)
    if (oldestS * 1000 > STALLED_MS) {
      throw new Error(`outbox stalled: ${count} events, the oldest for ${Math.round(oldestS)} s`)
    }
  },
})

/** Reads both figures whenever `/metrics` is read: a relay that does nothing would not update them. */
export function measureOutbox(metrics: Metrics, db: Kysely<EventTables>): void {
  const gauge = (name: string, help: string, read: (waiting: Waiting) => number): Gauge =>
    new Gauge({
      name,
      help,
      registers: [metrics.registry],
      async collect() {
        // While the database is away the last figure stands.
        const waiting = await waitingIn(db).catch(() => undefined)
        if (waiting !== undefined) this.set(read(waiting))
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
