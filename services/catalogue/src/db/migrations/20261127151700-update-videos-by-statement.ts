import { type Kysely, sql } from 'kysely'

/**
 * Applies updates of videos to documents, artists and counts once for each statement. The triggers for each row merged the
 * pending lists of both search indexes once for each video (docs/search.md has what that costs).
 *
 * Without nested loops: a plan that was made for one changed video would compare each with each other one of a batch.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await createCountFunction(db)
  await createDocumentFunction(db)
  await sql`drop trigger video_artists_changed on videos`.execute(db)
  await sql`drop trigger video_document_updated on videos`.execute(db)
  await sql`drop trigger video_totals_changed on videos`.execute(db)
  await sql`drop function update_video_document`.execute(db)
  await sql`
    create trigger video_counts_updated after update on videos
    referencing old table as before new table as after
    for each statement execute function count_video_updates()`.execute(db)
  await sql`
    create trigger video_documents_updated after update on videos
    referencing old table as before new table as after
    for each statement execute function update_video_documents()`.execute(db)
}

/** All writers lock artists before totals, and both in their order. Most updates count a view, and change neither. */
async function createCountFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function count_video_updates() returns trigger language plpgsql set enable_nestloop = off as $$
    begin
      if not exists (
        select from before b join after a using (id)
        where (b.title, b.artist_name, b.artist_given, b.category, b.is_public, b.metadata_status, b.review_state)
          is distinct from
          (a.title, a.artist_name, a.artist_given, a.category, a.is_public, a.metadata_status, a.review_state)
      ) then
        return null;
      end if;
      insert into artists as t
      select name, lower(name), sum(delta) from (
        select artist_name, -1 from before
        where counts_for_artist(is_public, metadata_status, title, artist_name, artist_given)
        union all
        select artist_name, 1 from after
        where counts_for_artist(is_public, metadata_status, title, artist_name, artist_given)
      ) changed (name, delta)
      group by 1 having sum(delta) <> 0 order by 1
      on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      insert into video_totals as t (category, is_public, video_count, unavailable_count)
      select category, is_public, sum(one), sum(case when is_available then 0 else one end) from (
        select coalesce(category, ''), is_public, is_listed(true, metadata_status, title), -1 from before
        where review_state is null
        union all
        select coalesce(category, ''), is_public, is_listed(true, metadata_status, title), 1 from after
        where review_state is null
      ) changed (category, is_public, is_available, one)
      group by 1, 2 having sum(one) <> 0 or sum(case when is_available then 0 else one end) <> 0 order by 1, 2
      on conflict (category, is_public) do update set
        video_count = t.video_count + excluded.video_count,
        unavailable_count = t.unavailable_count + excluded.unavailable_count;
      return null;
    end $$`.execute(db)
}

/** A video that was accepted or has got its title counts for its partition like an inserted one. */
async function createDocumentFunction(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function update_video_documents() returns trigger language plpgsql set enable_nestloop = off as $$
    begin
      if not exists (
        select from before b join after a using (id)
        where (b.title, b.artist_name, b.description, b.genre, b.created_at, b.is_public, b.metadata_status)
          is distinct from
          (a.title, a.artist_name, a.description, a.genre, a.created_at, a.is_public, a.metadata_status)
      ) then
        return null;
      end if;
      delete from video_documents where video_id = any(array(
        select id from before b join after a using (id)
        where is_listed(b.is_public, b.metadata_status, b.title)
          and not is_listed(a.is_public, a.metadata_status, a.title)));
      if exists (
        select from before b join after a using (id)
        where (b.review_state is not null or b.title = 'Loading...')
          and is_listed(a.is_public, a.metadata_status, a.title)
      ) then
        perform pg_advisory_xact_lock(hashtext('catalogue.search_partitions'));
      end if;
      insert into video_documents (video_id, created_at, partition_id, document)
      select a.id, a.created_at, partition_of(a.created_at),
        video_document(a.title, a.artist_name, a.description, a.genre)
      from before b join after a using (id)
      where is_listed(a.is_public, a.metadata_status, a.title)
        and (not is_listed(b.is_public, b.metadata_status, b.title)
          or (b.title, b.artist_name, b.description, b.genre, b.created_at)
            is distinct from (a.title, a.artist_name, a.description, a.genre, a.created_at))
      on conflict (video_id) do update set
        created_at = excluded.created_at, partition_id = excluded.partition_id, document = excluded.document;
      update search_partitions p set document_count = p.document_count + counted.documents
      from (
        select partition_of(a.created_at) as id, count(*) as documents from before b join after a using (id)
        where (b.review_state is not null or b.title = 'Loading...')
          and is_listed(a.is_public, a.metadata_status, a.title)
        group by 1
      ) counted where p.id = counted.id;
      if found then
        perform close_full_partition();
      end if;
      return null;
    end $$`.execute(db)
}
