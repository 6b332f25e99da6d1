import { type Kysely, sql } from 'kysely'

/** Adds the default playlist. A unique index allows one per user, also for concurrent requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table youtube_playlists add column is_default boolean not null default false`.execute(db)
  await sql`create unique index youtube_playlists_default
    on youtube_playlists (user_id) where is_default and is_active`.execute(db)
  // For the lookup of a video in a playlist.
  await sql`create index youtube_playlist_items_of_video
    on youtube_playlist_items (playlist_id, video_id)`.execute(db)
}
