import { type Kysely, sql } from 'kysely'

/**
 * The air log's oldest entries are found by their hour instead of their instant. An index of instants over all
 * channels looks to the planner like a way to one channel's entries as well, and for a channel that has been off the
 * air for long it is a way through everybody else's.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index air_log_hour on air_log ((started_at_ms / 3600000))`.execute(db)
  await sql`drop index air_log_age`.execute(db)
}
