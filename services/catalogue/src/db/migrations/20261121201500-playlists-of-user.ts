import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Indexes playlists by user: deleting a user deletes all their playlists, including inactive ones. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists youtube_playlists_user`.execute(db)
  await sql`create index concurrently youtube_playlists_user on youtube_playlists (user_id)`.execute(db)
}
