import { type Kysely, sql } from 'kysely'

/**
 * Excludes unavailable videos from viewers' lists, search, artists and counts. Corrects existing rows in place, as they
 * are few.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The planner inlines the function, so a partial index with the same condition matches.
  await sql`
    create function is_listed(is_public boolean, metadata_status text) returns boolean
    language sql immutable parallel safe as $$ select is_public and metadata_status <> 'unavailable' $$`.execute(
    db,
  )
  await excludeFromDocuments(db)
  await excludeFromArtists(db)
  await countUnavailable(db)
}

async function excludeFromDocuments(db: Kysely<unknown>): Promise<void> {
  // The advisory lock serialises writers, so that no other closes the partition meanwhile (20261121160500).
  await sql`
    create or replace function keep_video_document() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        perform pg_advisory_xact_lock(hashtext('catalogue.search_slices'));
        with kept as (
          insert into video_documents (video_id, created_at, slice, document)
          select id, created_at, slice_of(created_at), video_document(title, artist_name, description, genre)
          from added where is_listed(is_public, metadata_status)
          returning slice
        )
        update search_slices s set row_count = s.row_count + k.rows
        from (select slice, count(*) as rows from kept group by 1 order by 1) k where s.id = k.slice;
        perform fill_search_slices();
      elsif is_listed(new.is_public, new.metadata_status) then
        insert into video_documents (video_id, created_at, slice, document)
        values (new.id, new.created_at, slice_of(new.created_at),
          video_document(new.title, new.artist_name, new.description, new.genre))
        on conflict (video_id) do update set
          created_at = excluded.created_at, slice = excluded.slice, document = excluded.document;
      else
        delete from video_documents where video_id = new.id;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create or replace trigger video_document_changed after update on videos for each row
    when ((old.title, old.artist_name, old.description, old.genre, old.created_at,
        is_listed(old.is_public, old.metadata_status))
      is distinct from (new.title, new.artist_name, new.description, new.genre, new.created_at,
        is_listed(new.is_public, new.metadata_status)))
    execute function keep_video_document()`.execute(db)
  await sql`delete from video_documents where video_id in
    (select id from videos where is_public and metadata_status = 'unavailable')`.execute(db)
}

async function excludeFromArtists(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function count_artists() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into artists as t select artist_name, lower(artist_name), count(*)
        from added where is_listed(is_public, metadata_status) group by 1 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      elsif tg_op = 'DELETE' then
        insert into artists as t select artist_name, lower(artist_name), -count(*)
        from removed where is_listed(is_public, metadata_status) group by 1 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      else
        insert into artists as t select name, lower(name), sum(delta) from (values
          (old.artist_name, case when is_listed(old.is_public, old.metadata_status) then -1 else 0 end),
          (new.artist_name, case when is_listed(new.is_public, new.metadata_status) then 1 else 0 end)
        ) v (name, delta)
        group by 1 having sum(delta) <> 0 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create or replace trigger video_artists_changed after update on videos for each row
    when (old.artist_name <> new.artist_name
      or is_listed(old.is_public, old.metadata_status) <> is_listed(new.is_public, new.metadata_status))
    execute function count_artists()`.execute(db)
  await sql`
    update artists set video_count = artists.video_count - gone.videos
    from (select artist_name, count(*) as videos from videos
      where is_public and metadata_status = 'unavailable' group by 1) gone
    where artists.name = gone.artist_name`.execute(db)
}

/** Adds `unavailable_count`, a part of `video_count`: admins' lists still include unavailable videos. */
async function countUnavailable(db: Kysely<unknown>): Promise<void> {
  await sql`alter table video_totals add column unavailable_count bigint not null default 0`.execute(db)
  await sql`
    create or replace function count_video_totals() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select coalesce(category, ''), is_public, count(*), count(*) filter (where metadata_status = 'unavailable')
        from added group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      elsif tg_op = 'DELETE' then
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select coalesce(category, ''), is_public, -count(*), -count(*) filter (where metadata_status = 'unavailable')
        from removed group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      else
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select category, is_public, sum(one), sum(case when metadata_status = 'unavailable' then one else 0 end)
        from (values
          (coalesce(old.category, ''), old.is_public, old.metadata_status, -1),
          (coalesce(new.category, ''), new.is_public, new.metadata_status, 1)
        ) v (category, is_public, metadata_status, one)
        group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create or replace trigger video_totals_changed after update on videos for each row
    when (old.category is distinct from new.category or old.is_public <> new.is_public
      or (old.metadata_status = 'unavailable') <> (new.metadata_status = 'unavailable'))
    execute function count_video_totals()`.execute(db)
  await sql`
    update video_totals t set unavailable_count = gone.videos
    from (select coalesce(category, '') as category, is_public, count(*) as videos from videos
      where metadata_status = 'unavailable' group by 1, 2) gone
    where t.category = gone.category and t.is_public = gone.is_public`.execute(db)
}
