import { type Kysely, sql } from 'kysely'

/** The country of each report, so that admins see where a video does not play. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table playback_reports add column country text
    constraint playback_reports_country check (country ~ '^[A-Z]{2}$')`.execute(db)
}
