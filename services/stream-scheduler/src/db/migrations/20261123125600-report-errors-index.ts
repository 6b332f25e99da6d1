import { type Kysely, sql } from 'kysely'

/** The index is built while reports are written. An interrupted build is started again. */
export const outsideTransaction = true

/** Index for the list of videos with errors and the countries where they do not play. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists playback_reports_errors`.execute(db)
  await sql`
    create index concurrently playback_reports_errors
    on playback_reports (video_id, country, error_code, reported_at) where kind = 'error'`.execute(db)
}
