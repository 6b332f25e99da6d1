import { type Kysely, sql } from 'kysely'

/** The migrations that built the search in steps, before the first release. They are not run any more. */
export const replaces = [
  '20261120010100-search',
  '20261121160500-slices-in-turn',
  '20261122020000-search-joints',
  '20261122060000-search-spread-marks',
  '20261122070000-search-slice-keys',
  '20261122080000-artists-known',
]

/** No process reads the tables of the earlier search; only the functions did, which are replaced with them. */
export const unusedSince = '0.1.0'

/** Documents of a full partition. The next insert starts a new one. */
const PARTITION_DOCUMENTS = sql.lit(16_384)
/** Serialises writers of `search_partitions`. */
const PARTITION_LOCK = sql`pg_advisory_xact_lock(hashtext('catalogue.search_partitions'))`

/**
 * Creates the search for a part of a title, artist, description or genre. docs/search.md explains its terms and follows a
 * query through these functions.
 *
 * A database with the search of earlier migrations loses it and is indexed again, because its tables contain nothing that
 * `videos` does not. Requests to the catalogue wait meanwhile.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await dropEarlierSearch(db)
  await createTables(db)
  await createIndexKeyFunctions(db)
  await createQueryGrams(db)
  await fillTables(db)
  await createIndexes(db)
  await createInsertTrigger(db)
  await createUpdateTrigger(db)
  await createArtistTriggers(db)
  await createVideoSearch(db)
  await createArtistSearch(db)
}

async function dropEarlierSearch(db: Kysely<unknown>): Promise<void> {
  const triggers = [
    'video_document_added',
    'video_document_changed',
    'video_artists_added',
    'video_artists_removed',
    'video_artists_changed',
  ]
  for (const trigger of triggers) await sql`drop trigger if exists ${sql.id(trigger)} on videos`.execute(db)
  await sql`drop table if exists video_documents, search_slices, artists`.execute(db)
  await sql`
    drop function if exists keep_video_document, fill_search_slices, slice_of, video_document, count_artists,
      counts_for_artist, search_tokens, search_runs, search_needles, search_keys, search_slice_keys, search_key,
      search_marks, search_spread, search_video_documents, search_videos, search_artists`.execute(db)
}

async function createTables(db: Kysely<unknown>): Promise<void> {
  // A partition contains the videos created from its start up to the start of the next one. Starts never change, so
  // `created_at` alone determines the partition of a video.
  await sql`
    create table search_partitions (
      id integer generated always as identity primary key,
      starts_at timestamptz(3) not null unique,
      document_count integer not null default 0
    )`.execute(db)
  // One narrow row for each listed video, so that search need not read `videos`.
  await sql`
    create table video_documents (
      video_id uuid primary key references videos on delete cascade,
      created_at timestamptz(3) not null,
      partition_id integer not null,
      document text not null
    )`.execute(db)
  // Without "Unknown Artist": see `counts_for_artist`.
  await sql`
    create table artists (
      name text primary key,
      document text not null,
      video_count bigint not null
    )`.execute(db)
}

/** Creates the functions that cut documents into grams. */
async function createIndexKeyFunctions(db: Kysely<unknown>): Promise<void> {
  // U+001F separates the texts. No query contains it, so no match spans two texts.
  await sql`
    create function video_document(title text, artist_name text, description text, genre text) returns text
    language sql immutable parallel safe as $$
      select lower(concat_ws(chr(31), title, artist_name, coalesce(description, ''), coalesce(genre, '')))
    $$`.execute(db)
  // An index key: the partition in the high bits, so that the keys of a partition are adjacent in the index, and 40 bits of
  // the gram's hash.
  await sql`
    create function index_key(gram text, partition_id integer) returns bigint
    language sql immutable parallel safe strict as $$
      select (partition_id::bigint << 40) | (hashtextextended(gram, 0) & ((1::bigint << 40) - 1))
    $$`.execute(db)
  // The keys of a document: of all its substrings of one, two and three characters, and of its word-boundary grams (the
  // last two characters of a word and the first two of the next one). Unlike the trigrams of pg_trgm they include blanks
  // and punctuation, and every query has at least one.
  //
  // It repeats the body of `index_key`, because since version 17 Postgres builds an index with a search path on which it
  // does not find that function. It is written in PL/pgSQL, which caches its plans: Postgres would plan an SQL function
  // for every row.
  await sql`
    create function index_keys(document text, partition_id integer) returns bigint[]
    language plpgsql immutable parallel safe strict as $$
    declare
      chars text[] := string_to_array(document, null);
      words text[] := string_to_array(document, ' ');
      high_bits bigint := partition_id::bigint << 40;
      low_bits bigint := (1::bigint << 40) - 1;
    begin
      return (
        select array_agg(high_bits | (hashtextextended(one, 0) & low_bits))
          || array_agg(high_bits | (hashtextextended(two, 0) & low_bits))
          || array_agg(high_bits | (hashtextextended(three, 0) & low_bits))
          || array(
            select high_bits | (hashtextextended(right(word, 2) || left(next, 2), 0) & low_bits)
            from unnest(words, words[2:]) as pair(word, next) where length(word) > 1 and length(next) > 1
          )
        from (
          select a as one, a || coalesce(b, '') as two, a || coalesce(b, '') || coalesce(c, '') as three
          from unnest(chars, chars[2:], chars[3:]) as substring(a, b, c) offset 0
        ) grams
      );
    end $$`.execute(db)
}

/** Creates the function that chooses the grams of a query. */
async function createQueryGrams(db: Kysely<unknown>): Promise<void> {
  // At most `max_count` of the positions 1 to `total`, evenly spread, last position first. Both ends are included; with
  // `max_count` = 1 only the last.
  await sql`
    create function spread_positions(total integer, max_count integer) returns setof integer
    language sql immutable parallel safe strict as $$
      select total - nth * (total - 1) / greatest(1, least(total, max_count) - 1)
      from generate_series(0, least(total, max_count) - 1) nth
    $$`.execute(db)
  // The grams by which a query is searched: at most five, because reading the posting list of a gram that most videos
  // contain takes 2 ms at a million videos. Up to three are word-boundary grams, each instead of two trigrams: few videos
  // share one, even if the words are frequent. The others are trigrams, always with those at both ends: a rare query often
  // is a frequent phrase with something before or after it.
  await sql`
    create function query_grams(query text) returns text[]
    language plpgsql immutable parallel safe strict as $$
    declare
      chars text[] := string_to_array(query, null);
      words text[] := string_to_array(query, ' ');
      boundary_grams text[];
    begin
      boundary_grams := array(
        select right(word, 2) || left(next, 2)
        from unnest(words, words[2:]) with ordinality as pair(word, next, position)
        where length(word) > 1 and length(next) > 1 order by position
      );
      boundary_grams := array(
        select boundary_grams[position] from spread_positions(cardinality(boundary_grams), 3) position
      );
      return boundary_grams || array(
        select array_to_string(chars[position:position + 2], '')
        from spread_positions(
          least(cardinality(chars), greatest(1, cardinality(chars) - 2)),
          greatest(2, 5 - 2 * cardinality(boundary_grams))
        ) position
      );
    end $$`.execute(db)
}

/** Fills the tables from existing videos. A new database has none. */
async function fillTables(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function partition_of(created timestamptz) returns integer language sql stable as $$
      select id from search_partitions where starts_at <= created order by starts_at desc limit 1
    $$`.execute(db)
  // Every new YouTube video has the placeholder artist until its metadata arrives. Counting it would make concurrent
  // inserts wait for the lock of one row.
  await sql`
    create function counts_for_artist(is_public boolean, metadata_status text, artist_name text, artist_given boolean)
    returns boolean language sql immutable parallel safe as $$
      select is_listed(is_public, metadata_status) and (artist_given or artist_name <> 'Unknown Artist')
    $$`.execute(db)
  await sql`
    insert into search_partitions (starts_at)
    select case number when 0 then '-infinity' else min(created_at) end
    from (
      select created_at, (row_number() over (order by created_at) - 1) / ${PARTITION_DOCUMENTS} as number
      from videos where is_listed(is_public, metadata_status)
      union all select '-infinity', 0
    ) numbered
    group by number order by number
    on conflict do nothing`.execute(db)
  await sql`
    insert into video_documents (video_id, created_at, partition_id, document)
    select id, created_at, partition_of(created_at), video_document(title, artist_name, description, genre)
    from videos where is_listed(is_public, metadata_status) order by created_at, id`.execute(db)
  await sql`
    update search_partitions set document_count = filled.documents
    from (select partition_id, count(*) as documents from video_documents group by 1) filled
    where id = filled.partition_id`.execute(db)
  await sql`
    insert into artists (name, document, video_count)
    select artist_name, lower(artist_name), count(*) from videos
    where counts_for_artist(is_public, metadata_status, artist_name, artist_given) group by 1 order by 1`.execute(
    db,
  )
}

/**
 * Creates the indexes. New entries of a GIN index are first appended to its pending list, because merging many at once is
 * several times as fast as inserting each. Every search reads the pending list, so a trigger merges it at the end of each
 * statement.
 */
async function createIndexes(db: Kysely<unknown>): Promise<void> {
  await sql`create index video_documents_newest on video_documents (created_at desc, video_id desc)`.execute(
    db,
  )
  await sql`create index video_documents_index_keys on video_documents
    using gin (index_keys(document, partition_id))`.execute(db)
  await sql`create index artists_by_count on artists (video_count desc, name)`.execute(db)
  await sql`create index artists_index_keys on artists
    using gin (index_keys(document, 0))`.execute(db)
  await sql`
    create function merge_pending_keys() returns trigger language plpgsql as $$
    begin
      perform gin_clean_pending_list(tg_argv[0]::regclass);
      return null;
    end $$`.execute(db)
  await sql`create trigger video_documents_merge after insert on video_documents
    for each statement execute function merge_pending_keys('video_documents_index_keys')`.execute(db)
  await sql`create trigger artists_merge after insert on artists
    for each statement execute function merge_pending_keys('artists_index_keys')`.execute(db)
}

/** Creates the trigger that adds the documents of new videos and closes full partitions. */
async function createInsertTrigger(db: Kysely<unknown>): Promise<void> {
  // The caller holds the lock of partitions.
  await sql`
    create function close_full_partition() returns void language plpgsql as $$
    declare
      newest search_partitions;
    begin
      select * into newest from search_partitions order by starts_at desc limit 1;
      if newest.document_count > ${PARTITION_DOCUMENTS} then
        insert into search_partitions (starts_at)
        select greatest(max(created_at), newest.starts_at) + interval '1 ms' from video_documents
        where created_at >= newest.starts_at;
      end if;
    end $$`.execute(db)
  // Without the lock, a document could be written to a partition that another transaction is closing. Each statement of
  // the function has its own snapshot, so after the lock it sees a partition that another transaction has started.
  await sql`
    create function add_video_documents() returns trigger language plpgsql as $$
    begin
      perform ${PARTITION_LOCK};
      with written as (
        insert into video_documents (video_id, created_at, partition_id, document)
        select id, created_at, partition_of(created_at), video_document(title, artist_name, description, genre)
        from added where is_listed(is_public, metadata_status)
        returning partition_id
      )
      update search_partitions set document_count = document_count + counted.documents
      from (select partition_id, count(*) as documents from written group by 1) counted where id = counted.partition_id;
      perform close_full_partition();
      return null;
    end $$`.execute(db)
  await sql`create trigger video_documents_added after insert on videos
    referencing new table as added for each statement execute function add_video_documents()`.execute(db)
}

/** Creates the trigger that follows changes of videos. */
async function createUpdateTrigger(db: Kysely<unknown>): Promise<void> {
  // An accepted video counts for its partition like an inserted one. Otherwise the newest partition would never be closed
  // on a station whose videos are mostly accepted submissions.
  await sql`
    create function update_video_document() returns trigger language plpgsql as $$
    declare
      is_accepted boolean := old.review_state is not null;
    begin
      if not is_listed(new.is_public, new.metadata_status) then
        delete from video_documents where video_id = new.id;
        return null;
      end if;
      if is_accepted then
        perform ${PARTITION_LOCK};
      end if;
      insert into video_documents (video_id, created_at, partition_id, document)
      values (new.id, new.created_at, partition_of(new.created_at),
        video_document(new.title, new.artist_name, new.description, new.genre))
      on conflict (video_id) do update set
        created_at = excluded.created_at, partition_id = excluded.partition_id, document = excluded.document;
      if is_accepted then
        update search_partitions set document_count = document_count + 1 where id = partition_of(new.created_at);
        perform close_full_partition();
      end if;
      return null;
    end $$`.execute(db)
  await sql`create trigger video_document_updated after update on videos for each row
    when ((old.title, old.artist_name, old.description, old.genre, old.created_at,
        is_listed(old.is_public, old.metadata_status))
      is distinct from (new.title, new.artist_name, new.description, new.genre, new.created_at,
        is_listed(new.is_public, new.metadata_status)))
    execute function update_video_document()`.execute(db)
}

/** Creates the triggers on `videos` that maintain `artists`. They write in the order of names, so that none deadlock. */
async function createArtistTriggers(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function count_artists() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into artists as t select artist_name, lower(artist_name), count(*)
        from added where counts_for_artist(is_public, metadata_status, artist_name, artist_given) group by 1 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      elsif tg_op = 'DELETE' then
        insert into artists as t select artist_name, lower(artist_name), -count(*)
        from removed where counts_for_artist(is_public, metadata_status, artist_name, artist_given) group by 1 order by 1
        on conflict (name) do update set video_count = t.video_count + excluded.video_count;
      else
        insert into artists as t select name, lower(name), sum(delta) from (values
          (old.artist_name, -counts_for_artist(
            old.is_public, old.metadata_status, old.artist_name, old.artist_given)::integer),
          (new.artist_name, counts_for_artist(
            new.is_public, new.metadata_status, new.artist_name, new.artist_given)::integer)
        ) v (name, delta)
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
    when (old.artist_name <> new.artist_name
      or counts_for_artist(old.is_public, old.metadata_status, old.artist_name, old.artist_given)
        <> counts_for_artist(new.is_public, new.metadata_status, new.artist_name, new.artist_given))
    execute function count_artists()`.execute(db)
}

/**
 * Creates the functions that search videos. Those that search an index disable sequential and plain index scans,
 * because the planner might prefer them. `work_mem` keeps the bitmap exact: with a lossy bitmap Postgres would compute the
 * keys of every row of a page again.
 */
async function createVideoSearch(db: Kysely<unknown>): Promise<void> {
  // One partition after another, from the newest on: a lateral join under a limit evaluates a partition only when needed.
  await sql`
    create function search_video_documents(query text, pattern text, max_rows integer)
    returns table (video_id uuid, created_at timestamptz)
    language plpgsql stable
    set enable_seqscan = off set enable_indexscan = off set work_mem = '64MB' as $$
    declare
      grams text[] := query_grams(lower(query));
      lower_pattern text := lower(pattern);
    begin
      return query
        select hit.video_id, hit.created_at
        from (select id from search_partitions order by starts_at desc offset 0) newest_first
        cross join lateral (
          select array_agg(index_key(gram, newest_first.id)) as keys from unnest(grams) gram offset 0
        ) wanted
        cross join lateral (
          select d.video_id, d.created_at from video_documents d
          where index_keys(d.document, d.partition_id) @> wanted.keys
            and d.partition_id = newest_first.id and d.document like lower_pattern
          order by d.created_at desc, d.video_id desc limit max_rows
        ) hit
        limit max_rows;
    end $$`.execute(db)
  // A scan of the newest documents, which is fast for a frequent text, and if that yields too few the index. One call for
  // both saves a round trip. Without `rows 20` the planner expects 1,000 rows and joins them by reading all of `videos`.
  await sql`
    create function search_videos(query text, pattern text, max_rows integer, newest_scanned integer) returns setof uuid
    language plpgsql stable rows 20 as $$
    declare
      lower_pattern text := lower(pattern);
      hits uuid[];
    begin
      hits := array(
        select video_id from (
          select video_id, created_at, document from video_documents
          order by created_at desc, video_id desc limit newest_scanned
        ) newest
        where document like lower_pattern
        order by created_at desc, video_id desc limit max_rows
      );
      if cardinality(hits) = max_rows then
        return query select unnest(hits);
      else
        return query select hit.video_id from search_video_documents(query, pattern, max_rows) hit;
      end if;
    end $$`.execute(db)
}

/** Creates the function that searches artists, with the settings of {@link createVideoSearch}. */
async function createArtistSearch(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function search_artists(query text, pattern text, max_rows integer)
    returns table (name text, video_count bigint)
    language plpgsql stable
    set enable_seqscan = off set enable_indexscan = off set work_mem = '64MB' as $$
    declare
      keys bigint[] := (select array_agg(index_key(gram, 0)) from unnest(query_grams(lower(query))) gram);
      lower_pattern text := lower(pattern);
    begin
      return query
        select a.name, a.video_count from artists a
        where index_keys(a.document, 0) @> keys and a.document like lower_pattern and a.video_count > 0
        order by a.video_count desc, a.name limit max_rows;
    end $$`.execute(db)
}
