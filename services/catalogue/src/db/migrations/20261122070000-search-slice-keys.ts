import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/**
 * A key of the index is the slice and, in the low 40 bits, the hash of a mark, instead of a hash of both: all keys of a
 * slice lie side by side. A video that is added writes into the pages of the newest slice, which are few and at hand,
 * not into as many places of the whole index as it has marks.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addKeys(db)
  await sql`drop index concurrently if exists video_documents_slice_keys`.execute(db)
  await sql`create index concurrently video_documents_slice_keys on video_documents
    using gin (search_slice_keys(document, slice)) with (fastupdate = off)`.execute(db)
  await sql`drop index concurrently if exists artists_slice_keys`.execute(db)
  await sql`create index concurrently artists_slice_keys on artists
    using gin (search_slice_keys(document, 0)) with (fastupdate = off)`.execute(db)
  await askTheKeys(db)
  await sql`drop index concurrently if exists video_documents_keys`.execute(db)
  await sql`drop index concurrently if exists artists_keys`.execute(db)
  await sql`drop function if exists search_keys`.execute(db)
}

/**
 * The marks of `20261122020000-search-joints.ts`, as keys of their slice. In PL/pgSQL, which keeps its plans: a function
 * in SQL that cannot be put in place of its call is parsed and planned anew for every row that is written. It repeats
 * `search_key`, since from version 17 on Postgres fills and analyses an index with a search path of its own, on which
 * nothing of ours is found.
 */
async function addKeys(db: Kysely<unknown>): Promise<void> {
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

/** As before, of the new index. */
async function askTheKeys(db: Kysely<unknown>): Promise<void> {
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
