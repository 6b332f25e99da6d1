import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** One request for each airing, and the airings of the last day that turns count. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists requests_airing`.execute(db)
  await sql`create unique index concurrently requests_airing on requests (channel_id, airing_id)
    where airing_id is not null`.execute(db)
  await sql`drop index concurrently if exists requests_turns`.execute(db)
  await sql`create index concurrently requests_turns on requests (channel_id, aired_at)
    where currency = 'turn'`.execute(db)
}
