import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Lists the waiting requests of a channel by their planned times, then in the expected order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists requests_listed`.execute(db)
  await sql`create index concurrently requests_listed on requests (channel_id,
    coalesce(planned_at, 'infinity'::timestamptz), coalesce(pinned_at, 'infinity'::timestamptz), rank, id)
    where state = 'waiting'`.execute(db)
  await sql`drop index concurrently if exists requests_waiting`.execute(db)
}
