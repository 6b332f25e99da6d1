import { type Kysely, sql } from 'kysely'

/** The playlist items of videos removed from the library, so that a restored video returns to its positions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table removed_playlist_items (
      id uuid primary key,
      channel_id text not null references channels (id) on delete cascade,
      video_id uuid not null,
      position bigint not null,
      created_by uuid,
      created_at timestamptz not null,
      removed_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index removed_playlist_items_video on removed_playlist_items (video_id)`.execute(db)
  await sql`create index removed_playlist_items_channel on removed_playlist_items (channel_id)`.execute(db)
  await sql`create index removed_playlist_items_by_age on removed_playlist_items (removed_at)`.execute(db)
}
