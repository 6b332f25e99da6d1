import { type Kysely, sql } from 'kysely'

/** One playlist of each person may be the default one: the index refuses a second, however many tabs ask. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table youtube_playlists add column is_default boolean not null default false`.execute(db)
  await sql`create unique index youtube_playlists_default
    on youtube_playlists (user_id) where is_default and is_active`.execute(db)
  // Whether a playlist holds a video.
  await sql`create index youtube_playlist_items_of_video
    on youtube_playlist_items (playlist_id, video_id)`.execute(db)
}
