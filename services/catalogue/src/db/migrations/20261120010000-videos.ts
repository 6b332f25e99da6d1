import { type Kysely, sql } from 'kysely'

/** Creates videos, view counting, video reports, and stored counts so that a list's total needs no `count(*)`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table videos (
      id uuid primary key,
      title text not null,
      artist_name text not null check (length(artist_name) <= 200),
      artist_given boolean not null,
      description text,
      genre text,
      category text,
      duration_ms integer not null check (duration_ms > 0),
      duration_assumed boolean not null,
      thumbnail_url text,
      video_url text not null,
      youtube_id text,
      is_public boolean not null,
      metadata_status text not null check (metadata_status in ('pending', 'resolved', 'unavailable')),
      unavailable_reason text,
      view_count bigint not null default 0,
      user_id uuid,
      shuffle_key double precision not null default random(),
      created_at timestamptz(3) not null default now()
    ) with (fillfactor = 85)`.execute(db)
  await indexVideos(db)
  await sql`
    create table view_marks (
      viewer_id uuid not null,
      video_id uuid not null references videos on delete cascade,
      counted_at timestamptz not null,
      primary key (viewer_id, video_id)
    )`.execute(db)
  await sql`create index view_marks_counted_at on view_marks (counted_at)`.execute(db)
  await sql`create index view_marks_video on view_marks (video_id)`.execute(db)
  await sql`
    create table video_reports (
      video_id uuid not null references videos on delete cascade,
      channel_id text not null,
      reason text not null,
      report_count integer not null default 1,
      reported_at timestamptz not null,
      primary key (video_id, channel_id)
    )`.execute(db)
  await addTotals(db)
}

/**
 * One index for each sort order of a list. `view_count` is in no index, so that counting a view updates none. Names are
 * sorted in lower case by their first 80 characters, which bounds the size of a cursor.
 */
async function indexVideos(db: Kysely<unknown>): Promise<void> {
  const indexes = [
    sql`create unique index videos_youtube_id on videos (youtube_id)`,
    sql`create unique index videos_media_url on videos (md5(video_url)) where youtube_id is null`,
    sql`create index videos_newest on videos (created_at desc, id desc)`,
    sql`create index videos_public_newest on videos (created_at desc, id desc) where is_public`,
    sql`create index videos_category_newest on videos (category, created_at desc, id desc)`,
    sql`create index videos_title on videos (left(lower(title), 80), id)`,
    sql`create index videos_artist on videos (left(lower(artist_name), 80), id)`,
    sql`create index videos_category_title on videos (category, left(lower(title), 80), id)`,
    sql`create index videos_category_artist on videos (category, left(lower(artist_name), 80), id)`,
    sql`create index videos_of_artist on videos (artist_name, created_at desc, id desc) where is_public`,
    sql`create index videos_of_user on videos (user_id, created_at) where user_id is not null`,
    sql`create index videos_loading on videos (id) where title = 'Loading...' and youtube_id is not null`,
    sql`create index videos_shuffle on videos (shuffle_key) where is_public and metadata_status <> 'unavailable'`,
  ]
  for (const index of indexes) await index.execute(db)
}

/** Adds `video_totals`: one row for each category ('' for none) and visibility, maintained by triggers. */
async function addTotals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table video_totals (
      category text not null,
      is_public boolean not null,
      video_count bigint not null,
      primary key (category, is_public)
    )`.execute(db)
  await sql`
    create function count_video_totals() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into video_totals as t select coalesce(category, ''), is_public, count(*) from added group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set video_count = t.video_count + excluded.video_count;
      elsif tg_op = 'DELETE' then
        insert into video_totals as t select coalesce(category, ''), is_public, -count(*) from removed group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set video_count = t.video_count + excluded.video_count;
      else
        insert into video_totals as t
        select * from (values (coalesce(old.category, ''), old.is_public, -1), (coalesce(new.category, ''), new.is_public, 1)) v order by 1, 2
        on conflict (category, is_public) do update set video_count = t.video_count + excluded.video_count;
      end if;
      return null;
    end $$`.execute(db)
  // Inserts and deletes are counted once per statement, in key order, so that two writers cannot deadlock. An update that
  // changes no key (a view) fires no trigger.
  await sql`create trigger video_totals_added after insert on videos
    referencing new table as added for each statement execute function count_video_totals()`.execute(db)
  await sql`create trigger video_totals_removed after delete on videos
    referencing old table as removed for each statement execute function count_video_totals()`.execute(db)
  await sql`create trigger video_totals_changed after update on videos for each row
    when (old.category is distinct from new.category or old.is_public <> new.is_public)
    execute function count_video_totals()`.execute(db)
}
