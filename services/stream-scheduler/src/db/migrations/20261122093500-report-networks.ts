import { type Kysely, sql } from 'kysely'

/** The network of each report as a keyed hash, since a duration needs reports from several networks. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table playback_reports add column network text`.execute(db)
}
