import { type Kysely, sql } from 'kysely'

/**
 * What search reads instead of `videos`: one narrow row for each public video with its four texts
 * lower-cased in one document (U+001F between them, which no text holds), and one for each artist.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await addGrams(db)
  await addDocuments(db)
  await addArtists(db)
}

/**
 * Every run of one, two and three characters in a text, each as one number: code points are 21 bits
 * wide, so three fit. Unlike pg_trgm's these runs include punctuation and blanks and there are short
 * ones: whatever is asked for has at least one, so an index of them serves every search.
 */
async function addGrams(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function search_grams(document text) returns bigint[]
    language sql immutable parallel safe strict as $$
      select coalesce(
        array_agg(one) || array_agg(one | two) filter (where two is not null)
          || array_agg(one | two | three) filter (where three is not null), '{}')
      from (
        select ascii(a)::bigint << 42 as one, ascii(b)::bigint << 21 as two, ascii(c)::bigint as three
        from (select string_to_array(document, null) as chars) d,
          unnest(chars, chars[2:], chars[3:]) as run(a, b, c)
      ) runs
    $$`.execute(db)
  // The longest runs of what is asked for: they are the rarest.
  await sql`
    create function search_needles(query text) returns bigint[]
    language sql immutable parallel safe strict as $$
      select coalesce(array_agg(distinct gram), '{}') from (
        select (ascii(a)::bigint << 42) | (coalesce(ascii(b), 0)::bigint << 21) | coalesce(ascii(c), 0) as gram
        from (select string_to_array(query, null) as chars) q,
          unnest(chars, chars[2:], chars[3:]) with ordinality as run(a, b, c, place)
        where place <= greatest(1, cardinality(chars) - 2)
      ) grams
    $$`.execute(db)
}

async function addDocuments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table video_documents (
      video_id uuid primary key references videos on delete cascade,
      created_at timestamptz(3) not null,
      document text not null
    )`.execute(db)
  await sql`create index video_documents_newest on video_documents (created_at desc, video_id desc)`.execute(
    db,
  )
  // Without fastupdate: its pending list would be read through by every search.
  await sql`create index video_documents_grams on video_documents
    using gin (search_grams(document)) with (fastupdate = off)`.execute(db)
  await addIndexedSearch(db)
  await sql`
    create function video_document(title text, artist_name text, description text, genre text) returns text
    language sql immutable parallel safe as $$
      select lower(concat_ws(chr(31), title, artist_name, coalesce(description, ''), coalesce(genre, '')))
    $$`.execute(db)
  await sql`
    create function keep_video_document() returns trigger language plpgsql as $$
    begin
      if tg_op = 'INSERT' then
        insert into video_documents (video_id, created_at, document)
        select id, created_at, video_document(title, artist_name, description, genre) from added where is_public;
      elsif new.is_public then
        insert into video_documents (video_id, created_at, document)
        values (new.id, new.created_at, video_document(new.title, new.artist_name, new.description, new.genre))
        on conflict (video_id) do update set created_at = excluded.created_at, document = excluded.document;
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
 * The index, and nothing else: the planner must not walk the table instead, whatever it expects, so it is
 * forbidden to inside these functions. `work_mem` keeps the bitmap exact, so that no row is taken apart
 * again to see whether it fits.
 */
async function addIndexedSearch(db: Kysely<unknown>): Promise<void> {
  await sql`
    create function search_video_documents(query text, pattern text, most integer)
    returns table (video_id uuid, created_at timestamptz)
    language plpgsql stable
    set enable_seqscan = off set enable_indexscan = off set enable_sort = on set work_mem = '64MB' as $$
    begin
      return query
        select d.video_id, d.created_at from video_documents d
        where search_grams(d.document) @> search_needles(lower(query)) and d.document like lower(pattern)
        order by d.created_at desc, d.video_id desc limit most;
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
  await sql`create index artists_grams on artists
    using gin (search_grams(document)) with (fastupdate = off)`.execute(db)
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
  await sql`
    create function search_artists(query text, pattern text, most integer)
    returns table (name text, video_count bigint)
    language plpgsql stable
    set enable_seqscan = off set enable_indexscan = off set work_mem = '64MB' as $$
    begin
      return query
        select a.name, a.video_count from artists a
        where search_grams(a.document) @> search_needles(lower(query))
          and a.document like lower(pattern) and a.video_count > 0
        order by a.video_count desc, a.name limit most;
    end $$`.execute(db)
}
