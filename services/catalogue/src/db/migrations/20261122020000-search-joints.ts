import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/**
 * Adds word-boundary grams to the index: the last two characters of a word with the first two of the next one.
 *
 * A rare text of frequent words (`love rain heart`) consists of trigrams that most videos contain. Its word-boundary
 * grams (`ve ra`, `in he`) are in few videos. They make the index a fifth larger.
 *
 * Names in SQL: a `run` is a gram of one to three characters, a `joint` is a word-boundary gram, a `mark` is a gram of
 * either kind, and a `slice` is a partition of the index by time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addIndexKeys(db)
  await addQueryGrams(db)
  await sql`drop index concurrently if exists video_documents_keys`.execute(db)
  await sql`create index concurrently video_documents_keys on video_documents
    using gin (search_keys(document, slice)) with (fastupdate = off)`.execute(db)
  await sql`drop index concurrently if exists artists_keys`.execute(db)
  await sql`create index concurrently artists_keys on artists
    using gin (search_keys(document, 0)) with (fastupdate = off)`.execute(db)
  await replaceIndexSearch(db)
  await addVideoSearch(db)
  await sql`drop index concurrently if exists video_documents_tokens`.execute(db)
  await sql`drop index concurrently if exists artists_tokens`.execute(db)
  await sql`drop function if exists search_needles, search_runs, search_tokens`.execute(db)
}

/** Adds the keys of a document in the index: each gram hashed with the partition. */
async function addIndexKeys(db: Kysely<unknown>): Promise<void> {
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
 * Adds the grams of a query: up to three word-boundary grams and as many trigrams as make six, both evenly spread over
 * the text. Six leave few false matches to recheck; each further posting list costs more to read than it saves (measured).
 */
async function addQueryGrams(db: Kysely<unknown>): Promise<void> {
  await sql`
    create or replace function search_marks(query text) returns bigint[]
    language plpgsql immutable parallel safe strict as $$
    declare
      chars text[] := string_to_array(query, null);
      words text[] := string_to_array(query, ' ');
      joints bigint[];
      runs bigint[];
      step integer;
    begin
      joints := array(
        select hashtextextended(right(word, 2) || left(next, 2), 0)
        from unnest(words, words[2:]) with ordinality as pair(word, next, place)
        where length(word) > 1 and length(next) > 1 order by place
      );
      step := ceil(cardinality(joints) / 3.0);
      joints := array(select joints[place] from generate_series(1, cardinality(joints), greatest(1, step)) place);
      step := ceil(greatest(1, cardinality(chars) - 2) / (6.0 - cardinality(joints)));
      runs := array(
        select (ascii(chars[place])::bigint << 42) | (coalesce(ascii(chars[place + 1]), 0)::bigint << 21)
          | coalesce(ascii(chars[place + 2]), 0)
        from generate_series(1, least(cardinality(chars), greatest(1, cardinality(chars) - 2)), step) place
      );
      return joints || runs;
    end $$`.execute(db)
}

/** Makes the search functions of `20261120010100-search.ts` use the new index. */
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

/**
 * Adds `search_videos`: scans the newest documents and, if there are fewer than `most` matches, searches the index. One
 * call for both saves a round trip, which costs more than the scan on a busy machine.
 */
async function addVideoSearch(db: Kysely<unknown>): Promise<void> {
  // `rows 20`: by default the planner expects 1,000 rows and joins them by reading the whole table `videos`.
  await sql`
    create or replace function search_videos(query text, pattern text, most integer, newest integer) returns setof uuid
    language plpgsql stable rows 20 as $$
    declare
      wanted text := lower(pattern);
      hits uuid[];
    begin
      hits := array(
        select video_id from (
          select video_id, created_at, document from video_documents
          order by created_at desc, video_id desc limit newest
        ) latest
        where document like wanted
        order by created_at desc, video_id desc limit most
      );
      if cardinality(hits) = most then
        return query select unnest(hits);
      else
        return query select hit.video_id from search_video_documents(query, pattern, most) hit;
      end if;
    end $$`.execute(db)
}
