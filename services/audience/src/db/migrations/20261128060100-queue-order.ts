import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Lists the waiting requests of a channel in the expected order, and finds those of a video. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists requests_waiting`.execute(db)
  await sql`create index concurrently requests_waiting on requests (channel_id, pinned_at, rank, id)
    where state = 'waiting'`.execute(db)
  await sql`drop index concurrently if exists requests_video`.execute(db)
  await sql`create index concurrently requests_video on requests (video_id, id)
    where state = 'waiting'`.execute(db)
}
