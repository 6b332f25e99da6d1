import { type Kysely, sql } from 'kysely'

/** The index is built while reports are written. An interrupted build is started again. */
export const outsideTransaction = true

/** Index for the recent reports of one viewer, who may report errors of a limited number of videos a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists playback_reports_viewer`.execute(db)
  await sql`
    create index concurrently playback_reports_viewer
    on playback_reports (viewer, reported_at) where kind = 'error'`.execute(db)
}
