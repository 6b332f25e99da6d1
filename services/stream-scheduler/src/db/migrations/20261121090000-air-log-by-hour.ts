import { type Kysely, sql } from 'kysely'

/**
 * Finds the oldest entries of the air log by hour instead of by instant. The planner also used the index of instants for
 * the entries of one channel, and for a channel that has long been off the air it read the entries of all others.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index air_log_hour on air_log ((started_at_ms / 3600000))`.execute(db)
  await sql`drop index air_log_age`.execute(db)
}
