-- The tables of the catalogue as migrations find them first. Later migrations change them; this file stays as it is.

-- Videos

create or replace function are_tags(tags text[]) returns boolean language sql immutable strict parallel safe as $$
  select count(*) <= 20 and count(distinct tag) = count(*)
    and coalesce(bool_and(length(tag) between 1 and 40 and tag = btrim(tag) and tag not like '%,%'), true)
  from unnest(tags) tag
$$;

create or replace function lower_tags(tags text[]) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(lower(tag)), '{}') from unnest(tags) tag
$$;

-- The planner inlines the function, so a partial index with the same condition matches.
create or replace function is_listed(is_public boolean, metadata_status text) returns boolean
language sql immutable parallel safe as $$ select is_public and metadata_status <> 'unavailable' $$;

create table if not exists videos (
  id uuid primary key,
  title text not null,
  artist_name text not null check (length(artist_name) <= 200),
  artist_given boolean not null,
  description text,
  genre text,
  category text,
  duration_ms integer not null check (duration_ms > 0),
  duration_assumed boolean not null,
  thumbnail_url text,
  video_url text not null,
  youtube_id text,
  is_public boolean not null,
  metadata_status text not null check (metadata_status in ('pending', 'resolved', 'unavailable')),
  unavailable_reason text,
  view_count bigint not null default 0,
  user_id uuid,
  shuffle_key double precision not null default random(),
  created_at timestamptz(3) not null default now(),
  -- The review of a submitted video: until it is accepted, this is its state and the row is not public.
  review_state text,
  review_reason text,
  -- Set by an admin. Like `artist_given`, they stop metadata from replacing the title and the thumbnail.
  title_given boolean not null default false,
  thumbnail_given boolean not null default false,
  tags text[] not null default '{}',
  start_at_ms integer not null default 0,
  end_at_ms integer,
  constraint videos_review check (
    review_state is null or (review_state in ('submitted', 'rejected') and not is_public)
  ),
  constraint videos_tags check (are_tags(tags)),
  constraint videos_trim_points check (
    start_at_ms >= 0 and (end_at_ms is null or end_at_ms >= start_at_ms + 1000)
  )
) with (fillfactor = 85);

-- One index for each sort order of a list. `view_count` is in no index, so that counting a view updates none. Names are
-- sorted in lower case by their first 80 characters, which bounds the size of a cursor. Any user can submit videos; a
-- list must not scan those under review.
create unique index if not exists videos_youtube_id on videos (youtube_id);
create unique index if not exists videos_media_url on videos (md5(video_url)) where youtube_id is null;
create index if not exists videos_public_newest on videos (created_at desc, id desc) where is_public;
create index if not exists videos_category_newest on videos (category, created_at desc, id desc);
create index if not exists videos_category_title on videos (category, left(lower(title), 80), id);
create index if not exists videos_category_artist on videos (category, left(lower(artist_name), 80), id);
create index if not exists videos_of_artist on videos (artist_name, created_at desc, id desc) where is_public;
create index if not exists videos_of_user on videos (user_id, created_at) where user_id is not null;
create index if not exists videos_loading on videos (id) where title = 'Loading...' and youtube_id is not null;
create index if not exists videos_shuffle on videos (shuffle_key)
where is_public and metadata_status <> 'unavailable';
create index if not exists videos_accepted_newest on videos (created_at desc, id desc) where review_state is null;
create index if not exists videos_accepted_title on videos (left(lower(title), 80), id) where review_state is null;
create index if not exists videos_accepted_artist on videos (left(lower(artist_name), 80), id)
where review_state is null;
-- Private and unavailable videos have no search document, so an admin's search scans them separately.
create index if not exists videos_hidden_newest on videos (created_at desc, id desc)
where not is_listed(is_public, metadata_status) and review_state is null;
create index if not exists videos_tags on videos using gin (lower_tags(tags));
create index if not exists videos_tagged on videos (created_at desc) include (tags)
where tags <> '{}' and review_state is null;

create table if not exists view_marks (
  viewer_id uuid not null,
  video_id uuid not null references videos on delete cascade,
  counted_at timestamptz not null,
  primary key (viewer_id, video_id)
);
create index if not exists view_marks_counted_at on view_marks (counted_at);
create index if not exists view_marks_video on view_marks (video_id);

create table if not exists video_reports (
  video_id uuid not null references videos on delete cascade,
  channel_id text not null,
  reason text not null,
  report_count integer not null default 1,
  reported_at timestamptz not null,
  primary key (video_id, channel_id)
);
-- Deleting a channel deletes its reports.
create index if not exists video_reports_channel on video_reports (channel_id);

-- Counts, so that a list's total needs no `count(*)`

-- One row for each category ('' for none) and visibility, maintained by triggers. Videos under review are in no total.
create table if not exists video_totals (
  category text not null,
  is_public boolean not null,
  video_count bigint not null,
  -- A part of `video_count`: admins' lists include unavailable videos.
  unavailable_count bigint not null default 0,
  primary key (category, is_public)
);

-- Inserts and deletes are counted once per statement, in key order, so that two writers cannot deadlock. An update that
-- changes no key (a view) fires no trigger.
create or replace function count_video_totals() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    insert into video_totals as t (category, is_public, video_count, unavailable_count)
    select coalesce(category, ''), is_public, count(*), count(*) filter (where metadata_status = 'unavailable')
    from added where review_state is null group by 1, 2 order by 1, 2
    on conflict (category, is_public) do update set
      video_count = t.video_count + excluded.video_count,
      unavailable_count = t.unavailable_count + excluded.unavailable_count;
  elsif tg_op = 'DELETE' then
    insert into video_totals as t (category, is_public, video_count, unavailable_count)
    select coalesce(category, ''), is_public, -count(*), -count(*) filter (where metadata_status = 'unavailable')
    from removed where review_state is null group by 1, 2 order by 1, 2
    on conflict (category, is_public) do update set
      video_count = t.video_count + excluded.video_count,
      unavailable_count = t.unavailable_count + excluded.unavailable_count;
  else
    insert into video_totals as t (category, is_public, video_count, unavailable_count)
    select category, is_public, sum(one), sum(case when metadata_status = 'unavailable' then one else 0 end)
    from (values
      (coalesce(old.category, ''), old.is_public, old.metadata_status, old.review_state, -1),
      (coalesce(new.category, ''), new.is_public, new.metadata_status, new.review_state, 1)
    ) v (category, is_public, metadata_status, review_state, one)
    where review_state is null
    group by 1, 2 order by 1, 2
    on conflict (category, is_public) do update set
      video_count = t.video_count + excluded.video_count,
      unavailable_count = t.unavailable_count + excluded.unavailable_count;
  end if;
  return null;
end $$;
create or replace trigger video_totals_added after insert on videos
referencing new table as added for each statement execute function count_video_totals();
create or replace trigger video_totals_removed after delete on videos
referencing old table as removed for each statement execute function count_video_totals();
create or replace trigger video_totals_changed after update on videos for each row
when (old.category is distinct from new.category or old.is_public <> new.is_public
  or (old.metadata_status = 'unavailable') <> (new.metadata_status = 'unavailable')
  or (old.review_state is null) <> (new.review_state is null))
execute function count_video_totals();

-- One row for each video without metadata, or without the duration of its file, with the time of the next request to the
-- metadata worker. Adding a YouTube video already requests its metadata, so its first reminder is due 40 s later.
create table if not exists metadata_reminders (
  video_id uuid primary key references videos (id) on delete cascade,
  due_at timestamptz not null,
  sent integer not null default 0
);
create index if not exists metadata_reminders_due on metadata_reminders (due_at);
create or replace function keep_metadata_reminder() returns trigger language plpgsql as $$
begin
  if new.youtube_id is not null and new.metadata_status = 'pending' then
    insert into metadata_reminders (video_id, due_at) values (new.id, now() + interval '40 s')
    on conflict (video_id) do update set due_at = excluded.due_at, sent = 0;
  elsif new.youtube_id is null and new.duration_assumed then
    insert into metadata_reminders (video_id, due_at) values (new.id, now())
    on conflict (video_id) do nothing;
  elsif tg_op = 'UPDATE' then
    delete from metadata_reminders where video_id = new.id;
  end if;
  return null;
end $$;
create or replace trigger videos_metadata_reminder after insert or update of metadata_status, duration_assumed on videos
for each row execute function keep_metadata_reminder();

-- The decision about a submitted video, and every user who submitted it.
create table if not exists submissions (
  video_id uuid primary key references videos on delete cascade,
  state text not null default 'submitted' check (state in ('submitted', 'accepted', 'rejected')),
  submitted_at timestamptz(3) not null default now(),
  decided_by uuid,
  decided_at timestamptz(3),
  -- The list that the video came from.
  followed_list text
);
create index if not exists submissions_waiting on submissions (state, submitted_at, video_id);
create index if not exists submissions_decided on submissions (state, decided_at desc, video_id desc);
create index if not exists submissions_decided_by on submissions (decided_by) where decided_by is not null;
create table if not exists submitters (
  user_id uuid not null,
  video_id uuid not null references submissions on delete cascade,
  submitted_at timestamptz(3) not null default now(),
  primary key (user_id, video_id)
);
create index if not exists submitters_recent on submitters (user_id, submitted_at);
create index if not exists submitters_of_video on submitters (video_id, submitted_at, user_id);

-- The values that a bulk edit replaced, so that it can be undone for an hour. Null tags and titles: the edit changed none.
create table if not exists video_edits (
  edit_id uuid not null,
  video_id uuid not null references videos on delete cascade,
  old_artist_name text not null,
  old_artist_given boolean not null,
  old_genre text,
  old_category text,
  new_artist_name text not null,
  new_artist_given boolean not null,
  new_genre text,
  new_category text,
  edited_at timestamptz not null default now(),
  old_tags text[],
  new_tags text[],
  old_title text,
  new_title text,
  old_title_given boolean,
  new_title_given boolean,
  primary key (edit_id, video_id)
);
create index if not exists video_edits_of_video on video_edits (video_id);
create index if not exists video_edits_by_age on video_edits (edited_at);

-- The saved filters of the library.
create table if not exists video_filters (
  id uuid primary key,
  name text not null check (length(name) between 1 and 60),
  filter jsonb not null,
  created_by uuid,
  updated_at timestamptz(3) not null default now()
);
create unique index if not exists video_filters_name on video_filters (lower(name));

-- The YouTube playlists and channels whose new items are added, and the items that were seen in them.
create table if not exists followed_lists (
  id uuid primary key,
  url text not null,
  source_kind text not null check (source_kind in ('playlist', 'channel', 'handle', 'user')),
  source_name text not null,
  playlist_id text,
  title text,
  intake text not null check (intake in ('submissions', 'direct')),
  category text not null,
  tag text not null check (length(tag) between 1 and 40),
  only_new boolean not null,
  is_paused boolean not null default false,
  item_count integer,
  new_count integer not null default 0,
  last_new_at timestamptz(3),
  requested_at timestamptz(3),
  checked_at timestamptz(3),
  next_check_at timestamptz(3) not null,
  fully_read_at timestamptz(3),
  etag text,
  newest_ids text[] not null default '{}',
  problem_code text,
  problem_message text,
  problem_since timestamptz(3),
  problem_continues_at timestamptz(3),
  created_by uuid,
  created_at timestamptz(3) not null default now(),
  unique (source_kind, source_name)
);
create index if not exists followed_lists_due on followed_lists (next_check_at) where not is_paused;
create table if not exists followed_items (
  list_id uuid not null references followed_lists (id) on delete cascade,
  youtube_id text not null,
  seen_at timestamptz(3) not null default now(),
  primary key (list_id, youtube_id)
);

-- Home page, playlists and users

create table if not exists home_screen_curation (
  id uuid primary key,
  video_id uuid not null references videos on delete cascade,
  section_type text not null check (section_type in ('hero', 'featured', 'category')),
  section_name text check ((section_type = 'category') = (section_name is not null)),
  position integer not null check (position >= 1),
  is_active boolean not null default true,
  created_by uuid,
  created_at timestamptz(3) not null default now()
);
create index if not exists home_screen_curation_order on home_screen_curation (section_type, position, id);
create index if not exists home_screen_curation_video on home_screen_curation (video_id);

create table if not exists youtube_playlists (
  id uuid primary key,
  name text not null,
  description text,
  user_id uuid not null,
  shuffle_mode boolean not null default false,
  loop_mode text not null default 'off' check (loop_mode in ('off', 'single', 'playlist')),
  auto_advance boolean not null default true,
  is_public boolean not null default false,
  is_active boolean not null default true,
  item_count integer not null default 0,
  created_at timestamptz(3) not null default now(),
  is_default boolean not null default false
);
create index if not exists youtube_playlists_of_user
on youtube_playlists (user_id, created_at desc, id desc) where is_active;
-- One default playlist per user, also for concurrent requests.
create unique index if not exists youtube_playlists_default
on youtube_playlists (user_id) where is_default and is_active;
-- Deleting a user deletes all their playlists, including inactive ones.
create index if not exists youtube_playlists_user on youtube_playlists (user_id);

create table if not exists youtube_playlist_items (
  id uuid primary key,
  playlist_id uuid not null references youtube_playlists on delete cascade,
  video_id uuid not null references videos on delete cascade,
  position integer not null check (position >= 0),
  added_by uuid
);
create index if not exists youtube_playlist_items_order on youtube_playlist_items (playlist_id, position, id);
create index if not exists youtube_playlist_items_video on youtube_playlist_items (video_id);
create index if not exists youtube_playlist_items_of_video on youtube_playlist_items (playlist_id, video_id);

-- Deleting a video deletes its playlist items by cascade, so a trigger maintains the count. It does not count the items of
-- an inactive (deleted) playlist: the count is never shown, and each change of it leaves a dead version of the playlist's
-- row, which makes the deletion of many items slow.
create or replace function count_playlist_items() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    update youtube_playlists set item_count = item_count + 1 where id = new.playlist_id and is_active;
  else
    update youtube_playlists set item_count = item_count - 1 where id = old.playlist_id and is_active;
  end if;
  return null;
end $$;
create or replace trigger youtube_playlist_items_counted after insert or delete on youtube_playlist_items
for each row execute function count_playlist_items();

-- The copy of the restricted users.
create table if not exists restricted_users (
  restriction_id uuid primary key,
  user_id uuid not null,
  expires_at timestamptz
);
create index if not exists restricted_users_of_user on restricted_users (user_id);

-- Deleted videos, which can be restored for 30 days, and the playlist items and curation items they had. They are not in
-- `videos`, so lists, counts and indexes need no condition for them. A migration that adds a column to `videos` must add it
-- here as well.
create table if not exists deleted_videos (
  id uuid primary key,
  title text not null,
  artist_name text not null,
  artist_given boolean not null,
  description text,
  genre text,
  category text,
  duration_ms integer not null,
  duration_assumed boolean not null,
  thumbnail_url text,
  video_url text not null,
  youtube_id text,
  is_public boolean not null,
  metadata_status text not null,
  unavailable_reason text,
  view_count bigint not null,
  user_id uuid,
  shuffle_key double precision not null,
  created_at timestamptz(3) not null,
  review_state text,
  review_reason text,
  title_given boolean not null,
  thumbnail_given boolean not null,
  deleted_at timestamptz(3) not null default now(),
  tags text[] not null default '{}',
  start_at_ms integer not null default 0,
  end_at_ms integer
);
create index if not exists deleted_videos_newest on deleted_videos (deleted_at desc, id desc);
create index if not exists deleted_videos_youtube_id on deleted_videos (youtube_id);
create index if not exists deleted_videos_media_url on deleted_videos (md5(video_url)) where youtube_id is null;
create index if not exists deleted_videos_of_user on deleted_videos (user_id) where user_id is not null;
create table if not exists deleted_playlist_items (
  id uuid primary key,
  playlist_id uuid not null references youtube_playlists on delete cascade,
  video_id uuid not null references deleted_videos on delete cascade,
  position integer not null,
  added_by uuid
);
create index if not exists deleted_playlist_items_playlist on deleted_playlist_items (playlist_id);
create index if not exists deleted_playlist_items_video on deleted_playlist_items (video_id);
create table if not exists deleted_curation (
  id uuid primary key,
  video_id uuid not null references deleted_videos on delete cascade,
  section_type text not null,
  section_name text,
  position integer not null,
  is_active boolean not null,
  created_by uuid,
  created_at timestamptz(3) not null
);
create index if not exists deleted_curation_video on deleted_curation (video_id);

-- The search for a part of a title, artist, description or genre. docs/search.md explains its terms and follows a query
-- through these functions.

-- A partition contains the videos created from its start up to the start of the next one. Starts never change, so
-- `created_at` alone determines the partition of a video.
create table if not exists search_partitions (
  id integer generated always as identity primary key,
  starts_at timestamptz(3) not null unique,
  document_count integer not null default 0
);
insert into search_partitions (starts_at) select '-infinity' where not exists (select from search_partitions);

-- One narrow row for each listed video, so that search need not read `videos`.
create table if not exists video_documents (
  video_id uuid primary key references videos on delete cascade,
  created_at timestamptz(3) not null,
  partition_id integer not null,
  document text not null
);
-- Without "Unknown Artist": see `counts_for_artist`.
create table if not exists artists (
  name text primary key,
  document text not null,
  video_count bigint not null
);

-- U+001F separates the texts. No query contains it, so no match spans two texts.
create or replace function video_document(title text, artist_name text, description text, genre text) returns text
language sql immutable parallel safe as $$
  select lower(concat_ws(chr(31), title, artist_name, coalesce(description, ''), coalesce(genre, '')))
$$;

-- An index key: the partition in the high bits, so that the keys of a partition are adjacent in the index, and 40 bits of
-- the gram's hash.
create or replace function index_key(gram text, partition_id integer) returns bigint
language sql immutable parallel safe strict as $$
  select (partition_id::bigint << 40) | (hashtextextended(gram, 0) & ((1::bigint << 40) - 1))
$$;

-- The keys of a document: of all its substrings of one, two and three characters, and of its word-boundary grams (the
-- last two characters of a word and the first two of the next one). Unlike the trigrams of pg_trgm they include blanks
-- and punctuation, and every query has at least one.
--
-- It repeats the body of `index_key`, because since version 17 Postgres builds an index with a search path on which it
-- does not find that function. It is written in PL/pgSQL, which caches its plans: Postgres would plan an SQL function
-- for every row.
create or replace function index_keys(document text, partition_id integer) returns bigint[]
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
end $$;

-- New entries of a GIN index are first appended to its pending list, because merging many at once is several times as fast
-- as inserting each. Every search reads the pending list, so a trigger merges it at the end of each statement.
create index if not exists video_documents_newest on video_documents (created_at desc, video_id desc);
create index if not exists video_documents_index_keys on video_documents
using gin (index_keys(document, partition_id));
create index if not exists artists_by_count on artists (video_count desc, name);
create index if not exists artists_index_keys on artists using gin (index_keys(document, 0));
create or replace function merge_pending_keys() returns trigger language plpgsql as $$
begin
  perform gin_clean_pending_list(tg_argv[0]::regclass);
  return null;
end $$;
create or replace trigger video_documents_merge after insert on video_documents
for each statement execute function merge_pending_keys('video_documents_index_keys');
create or replace trigger artists_merge after insert on artists
for each statement execute function merge_pending_keys('artists_index_keys');

-- At most `max_count` of the positions 1 to `total`, evenly spread, last position first. Both ends are included; with
-- `max_count` = 1 only the last.
create or replace function spread_positions(total integer, max_count integer) returns setof integer
language sql immutable parallel safe strict as $$
  select total - nth * (total - 1) / greatest(1, least(total, max_count) - 1)
  from generate_series(0, least(total, max_count) - 1) nth
$$;

-- The grams by which a query is searched: at most five, because reading the posting list of a gram that most videos
-- contain takes 2 ms at a million videos. Up to three are word-boundary grams, each instead of two trigrams: few videos
-- share one, even if the words are frequent. The others are trigrams, always with those at both ends: a rare query often
-- is a frequent phrase with something before or after it.
create or replace function query_grams(query text) returns text[]
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
end $$;

create or replace function partition_of(created timestamptz) returns integer language sql stable as $$
  select id from search_partitions where starts_at <= created order by starts_at desc limit 1
$$;

-- Starts a new partition after one of 16,384 documents. The caller holds the lock of partitions, which serialises the
-- writers of `search_partitions`.
create or replace function close_full_partition() returns void language plpgsql as $$
declare
  newest search_partitions;
begin
  select * into newest from search_partitions order by starts_at desc limit 1;
  if newest.document_count > 16384 then
    insert into search_partitions (starts_at)
    select greatest(max(created_at), newest.starts_at) + interval '1 ms' from video_documents
    where created_at >= newest.starts_at;
  end if;
end $$;

-- Adds the documents of new videos and closes full partitions. Without the lock, a document could be written to a partition
-- that another transaction is closing. Each statement of the function has its own snapshot, so after the lock it sees a
-- partition that another transaction has started.
create or replace function add_video_documents() returns trigger language plpgsql as $$
begin
  perform pg_advisory_xact_lock(hashtext('catalogue.search_partitions'));
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
end $$;
create or replace trigger video_documents_added after insert on videos
referencing new table as added for each statement execute function add_video_documents();

-- Follows changes of videos. An accepted video counts for its partition like an inserted one. Otherwise the newest partition
-- would never be closed on a station whose videos are mostly accepted submissions.
create or replace function update_video_document() returns trigger language plpgsql as $$
declare
  is_accepted boolean := old.review_state is not null;
begin
  if not is_listed(new.is_public, new.metadata_status) then
    delete from video_documents where video_id = new.id;
    return null;
  end if;
  if is_accepted then
    perform pg_advisory_xact_lock(hashtext('catalogue.search_partitions'));
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
end $$;
create or replace trigger video_document_updated after update on videos for each row
when ((old.title, old.artist_name, old.description, old.genre, old.created_at,
    is_listed(old.is_public, old.metadata_status))
  is distinct from (new.title, new.artist_name, new.description, new.genre, new.created_at,
    is_listed(new.is_public, new.metadata_status)))
execute function update_video_document();

-- Every new YouTube video has the placeholder artist until its metadata arrives. Counting it would make concurrent
-- inserts wait for the lock of one row.
create or replace function counts_for_artist(is_public boolean, metadata_status text, artist_name text, artist_given boolean)
returns boolean language sql immutable parallel safe as $$
  select is_listed(is_public, metadata_status) and (artist_given or artist_name <> 'Unknown Artist')
$$;

-- Maintains `artists`. Its triggers write in the order of names, so that none deadlock.
create or replace function count_artists() returns trigger language plpgsql as $$
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
end $$;
create or replace trigger video_artists_added after insert on videos
referencing new table as added for each statement execute function count_artists();
create or replace trigger video_artists_removed after delete on videos
referencing old table as removed for each statement execute function count_artists();
create or replace trigger video_artists_changed after update on videos for each row
when (old.artist_name <> new.artist_name
  or counts_for_artist(old.is_public, old.metadata_status, old.artist_name, old.artist_given)
    <> counts_for_artist(new.is_public, new.metadata_status, new.artist_name, new.artist_given))
execute function count_artists();

-- The functions that search an index disable sequential and plain index scans, because the planner might prefer them.
-- `work_mem` keeps the bitmap exact: with a lossy bitmap Postgres would compute the keys of every row of a page again.

-- One partition after another, from the newest on: a lateral join under a limit evaluates a partition only when needed.
create or replace function search_video_documents(query text, pattern text, max_rows integer)
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
end $$;

-- A scan of the newest documents, which is fast for a frequent text, and if that yields too few the index. One call for
-- both saves a round trip. Without `rows 20` the planner expects 1,000 rows and joins them by reading all of `videos`.
create or replace function search_videos(query text, pattern text, max_rows integer, newest_scanned integer) returns setof uuid
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
end $$;

create or replace function search_artists(query text, pattern text, max_rows integer)
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
end $$;

-- Steps of the first start that are done (`beginFirstStep`).
create table if not exists first_start_steps (
  step text primary key,
  done_at timestamptz not null default now()
);
