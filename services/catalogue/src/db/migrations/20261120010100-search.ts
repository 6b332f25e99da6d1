import { type Kysely, sql } from 'kysely'

/**
 * Creates the search tables and their gram index. Later migrations replace the index and its functions; docs/search.md
 * describes the current state.
 *
 * Search reads `video_documents` instead of `videos`: one narrow row for each public video, with its four texts in lower
 * case in one document. U+001F separates the texts; no text contains it. `artists` has one row for each artist.
 *
 * Names in SQL: a `run` is a gram of one to three characters, a `token` or `needle` is an index key, and a `slice` is a
 * partition of the index by time.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addKeyFunctions(db)
  await addDocuments(db)
  await addDocumentTriggers(db)
  await addIndexedSearch(db)
  await addArtists(db)
}

/**
 * Adds the functions that compute index keys.
 *
 * A document's grams are all its substrings of one, two and three characters, each packed into one bigint (a code point
 * has 21 bits). Unlike the trigrams of pg_trgm they include punctuation, blanks and substrings of one and two characters,
 * so every query has at least one gram and the index serves every query.
 *
 * The index key is the gram hashed with the partition of its row. Each partition therefore has its own posting lists, and
 * a search reads the newest partition first.
 */
async function addKeyFunctions(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function search_tokens(document text, slice integer) returns bigint[]
    language sql immutable parallel safe strict as $$
      select coalesce(
        array_agg(hashint8extended(one, slice))
          || array_agg(hashint8extended(one | two, slice)) filter (where two is not null)
          || array_agg(hashint8extended(one | two | three, slice)) filter (where three is not null), '{}')
      from (
        select ascii(a)::bigint << 42 as one, ascii(b)::bigint << 21 as two, ascii(c)::bigint as three
        from (select string_to_array(document, null) as chars) d,
          unnest(chars, chars[2:], chars[3:]) as run(a, b, c)
      ) runs
    $$`.execute(db)
  // The grams of a query: at most six trigrams, evenly spread over the text. Longer grams are rarer. Six leave few false
  // matches to recheck; each further posting list costs more to read than it saves (measured).
  await sql`
    create function search_runs(query text) returns bigint[]
    language sql immutable parallel safe strict as $$
      select coalesce(array_agg(distinct run), '{}') from (
        select (ascii(a)::bigint << 42) | (coalesce(ascii(b), 0)::bigint << 21) | coalesce(ascii(c), 0) as run
        from (select string_to_array(query, null) as chars) q,
          unnest(chars, chars[2:], chars[3:]) with ordinality as run(a, b, c, place)
        where place <= greatest(1, cardinality(chars) - 2)
          and (place - 1) % ceil(greatest(1, cardinality(chars) - 2) / 6.0)::integer = 0
      ) runs
    $$`.execute(db)
  await sql`
    create function search_needles(runs bigint[], slice integer) returns bigint[]
    language sql immutable parallel safe strict as $$
      select array_agg(hashint8extended(run, slice)) from unnest(runs) run
    $$`.execute(db)
}

async function addDocuments(db: Kysely<unknown>): Promise<void> {
  // A partition contains the videos created from its start up to the start of the next one. Starts never change, so
  // `created_at` alone determines the partition of a row.
  await sql`
    create table search_slices (
      id integer generated always as identity primary key,
      starts_at timestamptz(3) not null unique,
      row_count integer not null default 0
    )`.execute(db)
  await sql`insert into search_slices (starts_at) values ('-infinity')`.execute(db)
  await sql`
    create table video_documents (
      video_id uuid primary key references videos on delete cascade,
      created_at timestamptz(3) not null,
      slice integer not null,
      document text not null
    )`.execute(db)
  await sql`create index video_documents_newest on video_documents (created_at desc, video_id desc)`.execute(
    db,
  )
  // No fastupdate: every search would scan the pending list.
  await sql`create index video_documents_tokens on video_documents
    using gin (search_tokens(document, slice)) with (fastupdate = off)`.execute(db)
}

/** Adds the triggers that maintain documents and partitions. */
async function addDocumentTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function video_document(title text, artist_name text, description text, genre text) returns text
    language sql immutable parallel safe as $$
      select lower(concat_ws(chr(31), title, artist_name, coalesce(description, ''), coalesce(genre, '')))
    $$`.execute(db)
  await sql`
    create function slice_of(created timestamptz) returns integer language sql stable as $$
      select id from search_slices where starts_at <= created order by starts_at desc limit 1
    $$`.execute(db)
  // Starts a new partition after the last video of a full one. `for update` waits for concurrent writers, so that only
  // one of them starts it.
  await sql`
    create function fill_search_slices() returns void language plpgsql as $$
    declare
      newest search_slices;
    begin
      select * into newest from search_slices order by starts_at desc limit 1 for update;
      if newest.row_count > 16384 and not exists (select from search_slices where starts_at > newest.starts_at) then
        insert into search_slices (starts_at)
        select greatest(max(created_at), newest.starts_at) + interval '1 ms' from video_documents
        where created_at >= newest.starts_at;
      end if;
    end $$`.execute(db)
  await sql`
    create function keep_video_document() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        with kept as (
          insert into video_documents (video_id, created_at, slice, document)
          select id, created_at, slice_of(created_at), video_document(title, artist_name, description, genre)
          from added where is_public
          returning slice
        )
        update search_slices s set row_count = s.row_count + k.rows
        from (select slice, count(*) as rows from kept group by 1 order by 1) k where s.id = k.slice;
        perform fill_search_slices();
      elsif new.is_public then
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
  await sql`create trigger video_document_added after insert on videos
    referencing new table as added for each statement execute function keep_video_document()`.execute(db)
  await sql`create trigger video_document_changed after update on videos for each row
    when ((old.title, old.artist_name, old.description, old.genre, old.is_public, old.created_at)
      is distinct from (new.title, new.artist_name, new.description, new.genre, new.is_public, new.created_at))
    execute function keep_video_document()`.execute(db)
}

/**
 * Adds the functions that search the gram index.
 *
 * `search_video_documents` searches one partition after another, from the newest on, until it has `most` rows: a lateral
 * join under a limit evaluates a partition only when it needs it. The functions disable sequential and plain index scans,
 * because the planner might prefer them to the gram index. `work_mem` keeps the bitmap exact; a lossy bitmap would make
 * Postgres compute the grams of every row of a page again.
 */
async function addIndexedSearch(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function search_video_documents(query text, pattern text, most integer)
    returns table (video_id uuid, created_at timestamptz)
    language plpgsql stable
    set enable_seqscan = off set enable_indexscan = off set work_mem = '64MB' as $$
    declare
      runs bigint[] := search_runs(lower(query));
      wanted text := lower(pattern);
    begin
      return query
        select hit.video_id, hit.created_at
        from (select id from search_slices order by starts_at desc offset 0) part
        cross join lateral (select search_needles(runs, part.id) as needles offset 0) its
        cross join lateral (
          select d.video_id, d.created_at from video_documents d
          where search_tokens(d.document, d.slice) @> its.needles
            and d.slice = part.id and d.document like wanted
          order by d.created_at desc, d.video_id desc limit most
        ) hit
        limit most;
    end $$`.execute(db)
  await sql`
    create function search_artists(query text, pattern text, most integer)
    returns table (name text, video_count bigint)
    language plpgsql stable
    set enable_seqscan = off set enable_indexscan = off set work_mem = '64MB' as $$
    declare
      needles bigint[] := search_needles(search_runs(lower(query)), 0);
      wanted text := lower(pattern);
    begin
      return query
        select a.name, a.video_count from artists a
        where search_tokens(a.document, 0) @> needles and a.document like wanted and a.video_count > 0
        order by a.video_count desc, a.name limit most;
    end $$`.execute(db)
}

async function addArtists(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table artists (
      name text primary key,
      document text not null,
      video_count bigint not null
    )`.execute(db)
  await sql`create index artists_by_count on artists (video_count desc, name)`.execute(db)
  await sql`create index artists_tokens on artists
    using gin (search_tokens(document, 0)) with (fastupdate = off)`.execute(db)
  await sql`
    create function count_artists() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into artists as t select artist_name, lower(artist_name), count(*)
        from added where is_public group by 1 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      elsif tg_op = 'DELETE' then
        insert into artists as t select artist_name, lower(artist_name), -count(*)
        from removed where is_public group by 1 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      else
        insert into artists as t select name, lower(name), sum(delta) from (values
          (old.artist_name, case when old.is_public then -1 else 0 end),
          (new.artist_name, case when new.is_public then 1 else 0 end)) v (name, delta)
        group by 1 having sum(delta) <> 0 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger video_artists_added after insert on videos
    referencing new table as added for each statement execute function count_artists()`.execute(db)
  await sql`create trigger video_artists_removed after delete on videos
    referencing old table as removed for each statement execute function count_artists()`.execute(db)
  await sql`create trigger video_artists_changed after update on videos for each row
    when (old.artist_name <> new.artist_name or old.is_public <> new.is_public)
    execute function count_artists()`.execute(db)
}
