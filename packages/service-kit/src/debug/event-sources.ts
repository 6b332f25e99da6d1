import type { Kysely } from 'kysely'
import type { EventTables } from '../db/event-tables.ts'
import type { Metrics } from '../telemetry/metrics.ts'
import type { DebugSource } from './debug-report.ts'

/** Rows of the outbox and of dead letters shown. */
const MAX_ROWS = 20

/** Outbox and dead letters of a service with a database. */
export const eventTableSources = (db: Kysely<EventTables>): DebugSource[] => [
  outboxSource(db),
  deadLetterSource(db),
]

/** The oldest events that wait to be published. */
const outboxSource = (db: Kysely<EventTables>): DebugSource => ({
  title: `Outbox: unpublished events, oldest first (at most ${MAX_ROWS})`,
  read: async () => {
    const rows = await db
      .selectFrom('outbox')
      .select(['seq', 'type', 'aggregateId', 'writtenAt'])
      .orderBy('seq')
      .limit(MAX_ROWS)
      .execute()
    return rows.map((row) => ({ ...row, writtenAt: row.writtenAt.toISOString() }))
  },
})

/** The newest dead letters that were not replayed. */
const deadLetterSource = (db: Kysely<EventTables>): DebugSource => ({
  title: `Dead letters, newest first (at most ${MAX_ROWS})`,
  read: async () => {
    const rows = await db
      .selectFrom('deadLetters')
      .select(['id', 'consumer', 'subject', 'error', 'failedAt'])
      .where('replayedAt', 'is', null)
      .orderBy('id', 'desc')
      .limit(MAX_ROWS)
      .execute()
    return rows.map((row) => ({ ...row, failedAt: row.failedAt.toISOString() }))
  },
})

/**
 * The lag of each durable consumer, and the number of its events by result since the start of the process.
 */
export const consumerSource = (
  metrics: Metrics,
  consumers: { metricsText(): Promise<string> },
): DebugSource => ({
  title: 'Consumers',
  read: async () => {
    // Updates the lags.
    await consumers.metricsText()
    const [{ values: lags }, { values: results }] = await Promise.all([
      metrics.consumerLag.get(),
      metrics.eventsConsumed.get(),
    ])
    return lags.map(({ labels: { consumer = '' }, value: waiting }) => ({
      consumer,
      waiting,
      results: results
        .filter(({ labels }) => labels.consumer === consumer)
        .map(({ labels: { result }, value }) => `${value} ${result}`)
        .join(', '),
    }))
  },
})
