import { type Kysely, sql } from 'kysely'

/**
 * Creates the tables of deleted videos, which can be restored for 30 days, and of the playlist items and curation items
 * they had. Deleted videos are not in `videos`, so lists, counts and indexes need no condition for them. A migration that
 * adds a column to `videos` must add it to `deleted_videos` as well.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table deleted_videos (
      like videos,
      deleted_at timestamptz(3) not null default now(),
      primary key (id)
    )`.execute(db)
  await sql`create index deleted_videos_newest on deleted_videos (deleted_at desc, id desc)`.execute(db)
  await sql`create index deleted_videos_youtube_id on deleted_videos (youtube_id)`.execute(db)
  await sql`create index deleted_videos_media_url on deleted_videos (md5(video_url)) where youtube_id is null`.execute(
    db,
  )
  await sql`create index deleted_videos_of_user on deleted_videos (user_id) where user_id is not null`.execute(
    db,
  )
  await sql`
    create table deleted_playlist_items (
      id uuid primary key,
      playlist_id uuid not null references youtube_playlists on delete cascade,
      video_id uuid not null references deleted_videos on delete cascade,
      position integer not null,
      added_by uuid
    )`.execute(db)
  await sql`create index deleted_playlist_items_playlist on deleted_playlist_items (playlist_id)`.execute(db)
  await sql`create index deleted_playlist_items_video on deleted_playlist_items (video_id)`.execute(db)
  await sql`
    create table deleted_curation (
      id uuid primary key,
      video_id uuid not null references deleted_videos on delete cascade,
      section_type text not null,
      section_name text,
      position integer not null,
      is_active boolean not null,
      created_by uuid,
      created_at timestamptz(3) not null
    )`.execute(db)
  await sql`create index deleted_curation_video on deleted_curation (video_id)`.execute(db)
}
