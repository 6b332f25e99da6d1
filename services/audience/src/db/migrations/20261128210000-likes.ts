import { type Kysely, sql } from 'kysely'

/**
 * Likes, and the number of them for each video. `removed_at`: the video was deleted; its likes are kept for as long as it can
 * be restored. `is_changed`: the number was not published yet.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table liked_videos (
      video_id uuid primary key,
      like_count integer not null default 0 check (like_count >= 0),
      version bigint not null default 0,
      is_public boolean not null default true,
      removed_at timestamptz(3),
      is_changed boolean not null default false
    ) with (fillfactor = 70)`.execute(db)
  await sql`create index liked_videos_changed on liked_videos (video_id) where is_changed`.execute(db)
  await sql`create index liked_videos_removed on liked_videos (removed_at) where removed_at is not null`.execute(
    db,
  )
  await sql`
    create table likes (
      user_id uuid not null,
      video_id uuid not null references liked_videos (video_id) on delete cascade,
      liked_at timestamptz(3) not null,
      primary key (user_id, video_id)
    )`.execute(db)
  await sql`create index likes_newest on likes (user_id, liked_at, video_id)`.execute(db)
  await sql`create index likes_video on likes (video_id)`.execute(db)
  await sql`
    alter table profiles
      add column like_attempts integer not null default 0,
      add column like_attempts_since timestamptz(3)`.execute(db)
}
