import { type Kysely, sql } from 'kysely'

/** The country of each report, so that admins see where a video does not play. The index lists the videos with errors. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table playback_reports add column country text
    constraint playback_reports_country check (country ~ '^[A-Z]{2}$')`.execute(db)
  await sql`create index playback_reports_errors on playback_reports (video_id, country, error_code, reported_at)
    where kind = 'error'`.execute(db)
}
