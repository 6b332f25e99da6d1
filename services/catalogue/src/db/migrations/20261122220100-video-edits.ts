import { type Kysely, sql } from 'kysely'

/** Creates `video_edits`: the values that a bulk edit replaced, so that it can be undone for an hour. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table video_edits (
      edit_id uuid not null,
      video_id uuid not null references videos on delete cascade,
      old_artist_name text not null,
      old_artist_given boolean not null,
      old_genre text,
      old_category text,
      new_artist_name text not null,
      new_artist_given boolean not null,
      new_genre text,
      new_category text,
      edited_at timestamptz not null default now(),
      primary key (edit_id, video_id)
    )`.execute(db)
  await sql`create index video_edits_of_video on video_edits (video_id)`.execute(db)
  await sql`create index video_edits_by_age on video_edits (edited_at)`.execute(db)
}
