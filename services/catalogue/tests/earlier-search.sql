-- The search as the migrations before 20261123060000-search.ts left it, for search-migration.test.ts.

CREATE TABLE search_slices (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  starts_at timestamp(3) with time zone NOT NULL,
  row_count integer NOT NULL DEFAULT 0,
  CONSTRAINT search_slices_pkey PRIMARY KEY (id),
  CONSTRAINT search_slices_starts_at_key UNIQUE (starts_at)
);

CREATE TABLE video_documents (
  video_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  slice integer NOT NULL,
  document text NOT NULL,
  CONSTRAINT video_documents_pkey PRIMARY KEY (video_id),
  CONSTRAINT video_documents_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);

CREATE TABLE artists (
  name text NOT NULL,
  document text NOT NULL,
  video_count bigint NOT NULL,
  CONSTRAINT artists_pkey PRIMARY KEY (name)
);

INSERT INTO search_slices (starts_at) VALUES ('-infinity');

CREATE FUNCTION video_document(title text, artist_name text, description text, genre text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select lower(concat_ws(chr(31), title, artist_name, coalesce(description, ''), coalesce(genre, '')))
$function$;

CREATE FUNCTION counts_for_artist(is_public boolean, metadata_status text, artist_name text, artist_given boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select is_listed(is_public, metadata_status) and (artist_given or artist_name <> 'Unknown Artist')
$function$;

CREATE FUNCTION slice_of(created timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select id from search_slices where starts_at <= created order by starts_at desc limit 1
$function$;

CREATE FUNCTION search_key(mark bigint, slice integer)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (slice::bigint << 40) | (hashint8extended(mark, 0) & ((1::bigint << 40) - 1))
$function$;

CREATE FUNCTION search_slice_keys(document text, slice integer)
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
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
end $function$;

CREATE FUNCTION search_spread(total integer, most integer)
 RETURNS SETOF integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select total - nth * (total - 1) / greatest(1, least(total, most) - 1)
  from generate_series(0, least(total, most) - 1) nth
$function$;

CREATE FUNCTION search_marks(query text)
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
declare
  chars text[] := string_to_array(query, null);
  words text[] := string_to_array(query, ' ');
  joints bigint[];
begin
  joints := array(
    select hashtextextended(right(word, 2) || left(next, 2), 0)
    from unnest(words, words[2:]) with ordinality as pair(word, next, place)
    where length(word) > 1 and length(next) > 1 order by place
  );
  joints := array(select joints[place] from search_spread(cardinality(joints), 3) place);
  return joints || array(
    select (ascii(chars[place])::bigint << 42) | (coalesce(ascii(chars[place + 1]), 0)::bigint << 21)
      | coalesce(ascii(chars[place + 2]), 0)
    from search_spread(
      least(cardinality(chars), greatest(1, cardinality(chars) - 2)), greatest(2, 5 - 2 * cardinality(joints))
    ) place
  );
end $function$;

CREATE FUNCTION search_video_documents(query text, pattern text, most integer)
 RETURNS TABLE(video_id uuid, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET work_mem TO '64MB'
AS $function$
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
end $function$;

CREATE FUNCTION search_videos(query text, pattern text, most integer, newest integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE ROWS 20
AS $function$
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
end $function$;

CREATE FUNCTION search_artists(query text, pattern text, most integer)
 RETURNS TABLE(name text, video_count bigint)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET work_mem TO '64MB'
AS $function$
declare
  keys bigint[] := (select array_agg(search_key(mark, 0)) from unnest(search_marks(lower(query))) mark);
  wanted text := lower(pattern);
begin
  return query
    select a.name, a.video_count from artists a
    where search_slice_keys(a.document, 0) @> keys and a.document like wanted and a.video_count > 0
    order by a.video_count desc, a.name limit most;
end $function$;

CREATE FUNCTION fill_search_slices()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  newest search_slices;
begin
  select * into newest from search_slices order by starts_at desc limit 1 for update;
  if newest.row_count > 16384 and not exists (select from search_slices where starts_at > newest.starts_at) then
    insert into search_slices (starts_at)
    select greatest(max(created_at), newest.starts_at) + interval '1 ms' from video_documents
    where created_at >= newest.starts_at;
  end if;
end $function$;

CREATE FUNCTION keep_video_document()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
  elsif not is_listed(new.is_public, new.metadata_status) then
    delete from video_documents where video_id = new.id;
  elsif old.review_state is not null then
    perform pg_advisory_xact_lock(hashtext('catalogue.search_slices'));
    with kept as (
      insert into video_documents (video_id, created_at, slice, document)
      values (new.id, new.created_at, slice_of(new.created_at),
        video_document(new.title, new.artist_name, new.description, new.genre))
      returning slice
    )
    update search_slices s set row_count = s.row_count + 1 from kept where s.id = kept.slice;
    perform fill_search_slices();
  else
    insert into video_documents (video_id, created_at, slice, document)
    values (new.id, new.created_at, slice_of(new.created_at),
      video_document(new.title, new.artist_name, new.description, new.genre))
    on conflict (video_id) do update set
      created_at = excluded.created_at, slice = excluded.slice, document = excluded.document;
  end if;
  return null;
end $function$;

CREATE FUNCTION count_artists()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE INDEX video_documents_newest ON video_documents USING btree (created_at DESC, video_id DESC);
CREATE INDEX video_documents_slice_keys ON video_documents USING gin (search_slice_keys(document, slice)) WITH (fastupdate=off);
CREATE INDEX artists_by_count ON artists USING btree (video_count DESC, name);
CREATE INDEX artists_slice_keys ON artists USING gin (search_slice_keys(document, 0)) WITH (fastupdate=off);

CREATE TRIGGER video_artists_added AFTER INSERT ON videos REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_artists();
CREATE TRIGGER video_artists_changed AFTER UPDATE ON videos FOR EACH ROW WHEN (old.artist_name <> new.artist_name OR counts_for_artist(old.is_public, old.metadata_status, old.artist_name, old.artist_given) <> counts_for_artist(new.is_public, new.metadata_status, new.artist_name, new.artist_given)) EXECUTE FUNCTION count_artists();
CREATE TRIGGER video_artists_removed AFTER DELETE ON videos REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_artists();
CREATE TRIGGER video_document_added AFTER INSERT ON videos REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION keep_video_document();
CREATE TRIGGER video_document_changed AFTER UPDATE ON videos FOR EACH ROW WHEN (old.title IS DISTINCT FROM new.title OR old.artist_name IS DISTINCT FROM new.artist_name OR old.description IS DISTINCT FROM new.description OR old.genre IS DISTINCT FROM new.genre OR old.created_at IS DISTINCT FROM new.created_at OR is_listed(old.is_public, old.metadata_status) IS DISTINCT FROM is_listed(new.is_public, new.metadata_status)) EXECUTE FUNCTION keep_video_document();
