import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Index for deleting a channel's reports with the channel. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists playback_reports_channel`.execute(db)
  await sql`create index concurrently playback_reports_channel on playback_reports (channel_id)`.execute(db)
}
