import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/**
 * Beside its runs of one to three characters a text has a mark wherever two words meet: the last two characters of the
 * one and the first two of the other. A rare text of frequent words (`love rain heart`) has runs that are in most
 * videos; its joints (`ve ra`, `in he`) are in few, for a fifth more of the index.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addKeys(db)
  await addMarks(db)
  await sql`drop index concurrently if exists video_documents_keys`.execute(db)
  await sql`create index concurrently video_documents_keys on video_documents
    using gin (search_keys(document, slice)) with (fastupdate = off)`.execute(db)
  await sql`drop index concurrently if exists artists_keys`.execute(db)
  await sql`create index concurrently artists_keys on artists
    using gin (search_keys(document, 0)) with (fastupdate = off)`.execute(db)
  await askTheKeys(db)
  await sql`drop index concurrently if exists video_documents_tokens`.execute(db)
  await sql`drop index concurrently if exists artists_tokens`.execute(db)
  await sql`drop function if exists search_needles, search_runs, search_tokens`.execute(db)
}

/** Every mark of a text, hashed with the slice that it lies in: what the index holds. */
async function addKeys(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function search_keys(document text, slice integer) returns bigint[]
    language sql immutable parallel safe strict as $$
      select coalesce((
        select array_agg(hashint8extended(one, slice))
          || array_agg(hashint8extended(one | two, slice)) filter (where two is not null)
          || array_agg(hashint8extended(one | two | three, slice)) filter (where three is not null)
        from (
          select ascii(a)::bigint << 42 as one, ascii(b)::bigint << 21 as two, ascii(c)::bigint as three
          from (select string_to_array(document, null) as chars) d,
            unnest(chars, chars[2:], chars[3:]) as run(a, b, c)
        ) runs
      ), '{}') || coalesce((
        select array_agg(hashint8extended(hashtextextended(right(word, 2) || left(next, 2), 0), slice))
        from (select string_to_array(document, ' ') as words) d, unnest(words, words[2:]) as pair(word, next)
        where length(word) > 1 and length(next) > 1
      ), '{}')
    $$`.execute(db)
}

/**
 * Six marks of what is asked for: up to three joints, for the rest its longest runs, both spread over the text. That
 * many leave few wrong rows to look at; each further list costs more to follow than it saves (measured).
 */
async function addMarks(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function search_marks(query text) returns bigint[]
    language sql immutable parallel safe strict as $$
      with joints as (
        select hashtextextended(right(word, 2) || left(next, 2), 0) as joint,
          row_number() over (order by place) - 1 as nth, count(*) over () as total
        from (select string_to_array(query, ' ') as words) q,
          unnest(words, words[2:]) with ordinality as pair(word, next, place)
        where length(word) > 1 and length(next) > 1
      ),
      chosen as (select joint from joints where nth % ceil(total / 3.0)::integer = 0),
      runs as (
        select (ascii(a)::bigint << 42) | (coalesce(ascii(b), 0)::bigint << 21) | coalesce(ascii(c), 0) as run,
          place - 1 as nth, greatest(1, cardinality(chars) - 2) as total,
          6 - (select count(*) from chosen) as wanted
        from (select string_to_array(query, null) as chars) q,
          unnest(chars, chars[2:], chars[3:]) with ordinality as run(a, b, c, place)
      )
      select coalesce(array_agg(distinct mark), '{}') from (
        select joint as mark from chosen
        union all
        select run from runs where nth < total and nth % ceil(total / wanted::numeric)::integer = 0
      ) marks
    $$`.execute(db)
}

/** As before (`20261120010100-search.ts`), of the new index. */
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
          select array_agg(hashint8extended(mark, part.id)) as keys from unnest(marks) mark offset 0
        ) its
        cross join lateral (
          select d.video_id, d.created_at from video_documents d
          where search_keys(d.document, d.slice) @> its.keys
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
      keys bigint[] := (select array_agg(hashint8extended(mark, 0)) from unnest(search_marks(lower(query))) mark);
      wanted text := lower(pattern);
    begin
      return query
        select a.name, a.video_count from artists a
        where search_keys(a.document, 0) @> keys and a.document like wanted and a.video_count > 0
        order by a.video_count desc, a.name limit most;
    end $$`.execute(db)
}
