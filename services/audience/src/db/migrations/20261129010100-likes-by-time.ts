import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** The likes of a video during a programme are found by their time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists likes_video_time`.execute(db)
  await sql`create index concurrently likes_video_time on likes (video_id, liked_at)`.execute(db)
  await sql`drop index concurrently if exists likes_video`.execute(db)
}
