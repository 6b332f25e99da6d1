import { type Kysely, sql } from 'kysely'

/** A duration is learned from several networks: each report says which one it came from, as a keyed hash. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table playback_reports add column network text`.execute(db)
}
