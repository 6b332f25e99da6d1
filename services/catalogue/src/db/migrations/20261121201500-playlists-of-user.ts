import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** For somebody who leaves: all their playlists go with them, those that they had deleted themselves as well. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists youtube_playlists_user`.execute(db)
  await sql`create index concurrently youtube_playlists_user on youtube_playlists (user_id)`.execute(db)
}
