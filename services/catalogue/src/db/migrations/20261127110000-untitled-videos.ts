import { type Kysely, sql } from 'kysely'

/** Serialises writers of `search_partitions`. */
const PARTITION_LOCK = sql`pg_advisory_xact_lock(hashtext('catalogue.search_partitions'))`
const IS_UNTITLED = sql`title = 'Loading...'`

/**
 * Excludes videos without a title from viewers' lists, search, artists and counts, as unavailable videos are. Until
 * metadata arrives, a video has the title "Loading...".
 *
 * The functions of the previous release stay, because its replicas call them.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  // The planner inlines the function, so a partial index with the same condition matches.
  await sql`
    create function is_listed(is_public boolean, metadata_status text, title text) returns boolean
    language sql immutable parallel safe as $$
      select is_public and metadata_status <> 'unavailable' and title <> 'Loading...'
    $$`.execute(db)
  await replaceDocumentFunctions(db)
  await replaceArtistCounts(db)
  await replaceTotals(db)
  await excludeExisting(db)
}

/** A video gets its document with its title. */
async function replaceDocumentFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function add_video_documents() returns trigger language plpgsql as $$
    begin
      perform ${PARTITION_LOCK};
      with written as (
        insert into video_documents (video_id, created_at, partition_id, document)
        select id, created_at, partition_of(created_at), video_document(title, artist_name, description, genre)
        from added where is_listed(is_public, metadata_status, title)
        returning partition_id
      )
      update search_partitions set document_count = document_count + counted.documents
      from (select partition_id, count(*) as documents from written group by 1) counted where id = counted.partition_id;
      perform close_full_partition();
      return null;
    end $$`.execute(db)
  // A video that was accepted or has got its title counts for its partition like an inserted one. Otherwise the newest
  // partition would never be closed on a station whose videos are mostly submissions or wait for metadata.
  await sql`
    create or replace function update_video_document() returns trigger language plpgsql as $$
    declare
      is_new boolean := old.review_state is not null or old.title = 'Loading...';
    begin
      if not is_listed(new.is_public, new.metadata_status, new.title) then
        delete from video_documents where video_id = new.id;
        return null;
      end if;
      if is_new then
        perform ${PARTITION_LOCK};
      end if;
      insert into video_documents (video_id, created_at, partition_id, document)
      values (new.id, new.created_at, partition_of(new.created_at),
        video_document(new.title, new.artist_name, new.description, new.genre))
      on conflict (video_id) do update set
        created_at = excluded.created_at, partition_id = excluded.partition_id, document = excluded.document;
      if is_new then
        update search_partitions set document_count = document_count + 1 where id = partition_of(new.created_at);
        perform close_full_partition();
      end if;
      return null;
    end $$`.execute(db)
}

/** A video counts for its artist once it has a title. */
async function replaceArtistCounts(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function counts_for_artist(
      is_public boolean, metadata_status text, title text, artist_name text, artist_given boolean
    ) returns boolean language sql immutable parallel safe as $$
      select is_listed(is_public, metadata_status, title) and (artist_given or artist_name <> 'Unknown Artist')
    $$`.execute(db)
  await sql`
    create or replace function count_artists() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into artists as t select artist_name, lower(artist_name), count(*)
        from added where counts_for_artist(is_public, metadata_status, title, artist_name, artist_given)
        group by 1 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      elsif tg_op = 'DELETE' then
        insert into artists as t select artist_name, lower(artist_name), -count(*)
        from removed where counts_for_artist(is_public, metadata_status, title, artist_name, artist_given)
        group by 1 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      else
        insert into artists as t select name, lower(name), sum(delta) from (values
          (old.artist_name, -counts_for_artist(
            old.is_public, old.metadata_status, old.title, old.artist_name, old.artist_given)::integer),
          (new.artist_name, counts_for_artist(
            new.is_public, new.metadata_status, new.title, new.artist_name, new.artist_given)::integer)
        ) v (name, delta)
        group by 1 having sum(delta) <> 0 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create or replace trigger video_artists_changed after update on videos for each row
    when (old.artist_name <> new.artist_name
      or counts_for_artist(old.is_public, old.metadata_status, old.title, old.artist_name, old.artist_given)
        <> counts_for_artist(new.is_public, new.metadata_status, new.title, new.artist_name, new.artist_given))
    execute function count_artists()`.execute(db)
}

/** `unavailable_count` now counts all videos that viewers do not see, whether they are unavailable or have no title. */
async function replaceTotals(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function count_video_totals() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select coalesce(category, ''), is_public, count(*), count(*) filter (where not is_listed(true, metadata_status, title))
        from added where review_state is null group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      elsif tg_op = 'DELETE' then
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select coalesce(category, ''), is_public, -count(*), -count(*) filter (where not is_listed(true, metadata_status, title))
        from removed where review_state is null group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      else
        insert into video_totals as t (category, is_public, video_count, unavailable_count)
        select category, is_public, sum(one), sum(case when is_available then 0 else one end)
        from (values
          (coalesce(old.category, ''), old.is_public, is_listed(true, old.metadata_status, old.title), old.review_state, -1),
          (coalesce(new.category, ''), new.is_public, is_listed(true, new.metadata_status, new.title), new.review_state, 1)
        ) v (category, is_public, is_available, review_state, one)
        where review_state is null
        group by 1, 2 order by 1, 2
        on conflict (category, is_public) do update set
          video_count = t.video_count + excluded.video_count,
          unavailable_count = t.unavailable_count + excluded.unavailable_count;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create or replace trigger video_totals_changed after update on videos for each row
    when (old.category is distinct from new.category or old.is_public <> new.is_public
      or is_listed(true, old.metadata_status, old.title) <> is_listed(true, new.metadata_status, new.title)
      or (old.review_state is null) <> (new.review_state is null))
    execute function count_video_totals()`.execute(db)
}

/** Corrects the rows of existing videos without a title, which are few. */
async function excludeExisting(db: Kysely<unknown>): Promise<void> {
  await sql`
    delete from video_documents where video_id in (select id from videos where ${IS_UNTITLED})`.execute(db)
  await sql`
    update artists set video_count = video_count - untitled.videos
    from (select artist_name, count(*) as videos from videos
      where ${IS_UNTITLED} and counts_for_artist(is_public, metadata_status, artist_name, artist_given)
      group by 1) untitled
    where name = untitled.artist_name`.execute(db)
  await sql`
    update video_totals t set unavailable_count = t.unavailable_count + untitled.videos
    from (select coalesce(category, '') as category, is_public, count(*) as videos from videos
      where ${IS_UNTITLED} and metadata_status <> 'unavailable' and review_state is null group by 1, 2) untitled
    where t.category = untitled.category and t.is_public = untitled.is_public`.execute(db)
}
