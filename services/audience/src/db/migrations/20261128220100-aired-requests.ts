import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** The requests of a channel that were on the air, in their order. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists requests_aired`.execute(db)
  await sql`create index concurrently requests_aired on requests (channel_id, aired_at, id)
    where aired_at is not null`.execute(db)
}
