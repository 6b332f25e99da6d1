import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/**
 * Changes the layout of an index key: the partition in the high bits and the hash of the gram in the low 40 bits, instead
 * of one hash of both. The keys of a partition are then adjacent in the index. Inserting a video writes into the few,
 * cached pages of the newest partition, instead of one page of the whole index per gram.
 *
 * Names in SQL: a `mark` is a gram, a `run` is a gram of one to three characters, and a `slice` is a partition.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addIndexKeys(db)
  await sql`drop index concurrently if exists video_documents_slice_keys`.execute(db)
  await sql`create index concurrently video_documents_slice_keys on video_documents
    using gin (search_slice_keys(document, slice)) with (fastupdate = off)`.execute(db)
  await sql`drop index concurrently if exists artists_slice_keys`.execute(db)
  await sql`create index concurrently artists_slice_keys on artists
    using gin (search_slice_keys(document, 0)) with (fastupdate = off)`.execute(db)
  await replaceIndexSearch(db)
  await sql`drop index concurrently if exists video_documents_keys`.execute(db)
  await sql`drop index concurrently if exists artists_keys`.execute(db)
  await sql`drop function if exists search_keys`.execute(db)
}

/**
 * Adds `search_key` (the key of one gram) and `search_slice_keys` (all keys of a document).
 *
 * `search_slice_keys` is written in PL/pgSQL, which caches its plans. Postgres would parse and plan an SQL function that it
 * cannot inline for every written row. The function repeats the body of `search_key`, because since version 17 Postgres
 * builds and analyses an index with a restricted search path, on which it does not find `search_key`.
 */
async function addIndexKeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function search_key(mark bigint, slice integer) returns bigint
    language sql immutable parallel safe strict as $$
      select (slice::bigint << 40) | (hashint8extended(mark, 0) & ((1::bigint << 40) - 1))
    $$`.execute(db)
  await sql`
    create or replace function search_slice_keys(document text, slice integer) returns bigint[]
    language plpgsql immutable parallel safe strict as $$
    declare
      chars text[] := string_to_array(document, null);
      words text[] := string_to_array(document, ' ');
      marks bigint[];
    begin
      select array_agg(one) || array_agg(one | two) || array_agg(one | two | three) into marks
      from (
        select ascii(a)::bigint << 42 as one, ascii(b)::bigint << 21 as two, ascii(c)::bigint as three
        from unnest(chars, chars[2:], chars[3:]) as run(a, b, c)
      ) runs;
      marks := marks || array(
        select hashtextextended(right(word, 2) || left(next, 2), 0)
        from unnest(words, words[2:]) as pair(word, next) where length(word) > 1 and length(next) > 1
      );
      return array(
        select (slice::bigint << 40) | (hashint8extended(mark, 0) & ((1::bigint << 40) - 1))
        from unnest(marks) mark where mark is not null
      );
    end $$`.execute(db)
}

/** Makes the search functions use the new index. */
async function replaceIndexSearch(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function search_video_documents(query text, pattern text, most integer)
    returns table (video_id uuid, created_at timestamptz)
    language plpgsql stable
    set enable_seqscan = off set enable_indexscan = off set work_mem = '64MB' as $$
    declare
      marks bigint[] := search_marks(lower(query));
      wanted text := lower(pattern);
    begin
      return query
        select hit.video_id, hit.created_at
        from (select id from search_slices order by starts_at desc offset 0) part
        cross join lateral (
          select array_agg(search_key(mark, part.id)) as keys from unnest(marks) mark offset 0
        ) its
        cross join lateral (
          select d.video_id, d.created_at from video_documents d
          where search_slice_keys(d.document, d.slice) @> its.keys
            and d.slice = part.id and d.document like wanted
          order by d.created_at desc, d.video_id desc limit most
        ) hit
        limit most;
    end $$`.execute(db)
  await sql`
    create or replace function search_artists(query text, pattern text, most integer)
    returns table (name text, video_count bigint)
    language plpgsql stable
    set enable_seqscan = off set enable_indexscan = off set work_mem = '64MB' as $$
    declare
      keys bigint[] := (select array_agg(search_key(mark, 0)) from unnest(search_marks(lower(query))) mark);
      wanted text := lower(pattern);
    begin
      return query
        select a.name, a.video_count from artists a
        where search_slice_keys(a.document, 0) @> keys and a.document like wanted and a.video_count > 0
        order by a.video_count desc, a.name limit most;
    end $$`.execute(db)
}
