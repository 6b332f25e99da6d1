import { type Kysely, sql } from 'kysely'

/** What caused an event, as a W3C `traceparent`: the relay that publishes it runs apart from the request. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table outbox add column trace_parent text`.execute(db)
}
