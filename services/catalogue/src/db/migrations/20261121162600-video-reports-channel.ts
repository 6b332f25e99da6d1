import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** For a channel that is deleted: what was said there goes with it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists video_reports_channel`.execute(db)
  await sql`create index concurrently video_reports_channel on video_reports (channel_id)`.execute(db)
}
