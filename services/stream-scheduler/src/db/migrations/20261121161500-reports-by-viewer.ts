import { type Kysely, sql } from 'kysely'

/** Built while reports go on being written; one that was broken off is begun anew. */
export const outsideTransaction = true

/** What one viewer has reported lately: no voice counts against more than a few videos a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists playback_reports_viewer`.execute(db)
  await sql`
    create index concurrently playback_reports_viewer
    on playback_reports (viewer, reported_at) where kind = 'error'`.execute(db)
}
