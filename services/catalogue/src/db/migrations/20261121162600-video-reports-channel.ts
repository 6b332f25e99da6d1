import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Indexes video reports by channel: deleting a channel deletes its reports. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists video_reports_channel`.execute(db)
  await sql`create index concurrently video_reports_channel on video_reports (channel_id)`.execute(db)
}
