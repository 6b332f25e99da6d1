import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Counts the requests that were made during an airing. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists requests_made`.execute(db)
  await sql`create index concurrently requests_made on requests (channel_id, requested_at)`.execute(db)
}
