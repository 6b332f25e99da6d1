import { type Kysely, sql } from 'kysely'

/** From which library and playlists a schedule was last planned, to notice that they have changed since. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table channels add column planned_checksum text`.execute(db)
}
