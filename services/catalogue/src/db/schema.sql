-- The schema after all migrations, for reading. Written by `pnpm schema:dump`; migrations change it.

CREATE TABLE artists (
  name text NOT NULL,
  document text NOT NULL,
  video_count bigint NOT NULL,
  CONSTRAINT artists_pkey PRIMARY KEY (name)
);
CREATE INDEX artists_by_count ON artists USING btree (video_count DESC, name);
CREATE INDEX artists_index_keys ON artists USING gin (index_keys(document, 0));
CREATE TRIGGER artists_merge AFTER INSERT ON artists FOR EACH STATEMENT EXECUTE FUNCTION merge_pending_keys('artists_index_keys');

CREATE TABLE dead_letters (
  id bigint NOT NULL DEFAULT nextval('dead_letters_id_seq'::regclass),
  consumer text NOT NULL,
  subject text NOT NULL,
  event_id uuid,
  envelope jsonb NOT NULL,
  error text NOT NULL,
  failed_at timestamp with time zone NOT NULL DEFAULT now(),
  replayed_at timestamp with time zone,
  CONSTRAINT dead_letters_pkey PRIMARY KEY (id),
  CONSTRAINT dead_letters_consumer_event_id_key UNIQUE (consumer, event_id)
);

CREATE TABLE deleted_curation (
  id uuid NOT NULL,
  video_id uuid NOT NULL,
  section_type text NOT NULL,
  section_name text,
  "position" integer NOT NULL,
  is_active boolean NOT NULL,
  created_by uuid,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT deleted_curation_pkey PRIMARY KEY (id),
  CONSTRAINT deleted_curation_video_id_fkey FOREIGN KEY (video_id) REFERENCES deleted_videos(id) ON DELETE CASCADE
);
CREATE INDEX deleted_curation_video ON deleted_curation USING btree (video_id);

CREATE TABLE deleted_playlist_items (
  id uuid NOT NULL,
  playlist_id uuid NOT NULL,
  video_id uuid NOT NULL,
  "position" integer NOT NULL,
  added_by uuid,
  CONSTRAINT deleted_playlist_items_pkey PRIMARY KEY (id),
  CONSTRAINT deleted_playlist_items_playlist_id_fkey FOREIGN KEY (playlist_id) REFERENCES youtube_playlists(id) ON DELETE CASCADE,
  CONSTRAINT deleted_playlist_items_video_id_fkey FOREIGN KEY (video_id) REFERENCES deleted_videos(id) ON DELETE CASCADE
);
CREATE INDEX deleted_playlist_items_playlist ON deleted_playlist_items USING btree (playlist_id);
CREATE INDEX deleted_playlist_items_video ON deleted_playlist_items USING btree (video_id);

CREATE TABLE deleted_videos (
  id uuid NOT NULL,
  title text NOT NULL,
  artist_name text NOT NULL,
  artist_given boolean NOT NULL,
  description text,
  genre text,
  category text,
  duration_ms integer NOT NULL,
  duration_assumed boolean NOT NULL,
  thumbnail_url text,
  video_url text NOT NULL,
  youtube_id text,
  is_public boolean NOT NULL,
  metadata_status text NOT NULL,
  unavailable_reason text,
  view_count bigint NOT NULL,
  user_id uuid,
  shuffle_key double precision NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  review_state text,
  review_reason text,
  title_given boolean NOT NULL,
  thumbnail_given boolean NOT NULL,
  deleted_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  tags text[] NOT NULL DEFAULT '{}'::text[],
  start_at_ms integer NOT NULL DEFAULT 0,
  end_at_ms integer,
  job_id uuid,
  like_count integer NOT NULL DEFAULT 0,
  like_version bigint NOT NULL DEFAULT 0,
  CONSTRAINT deleted_videos_pkey PRIMARY KEY (id)
);
CREATE INDEX deleted_videos_media_url ON deleted_videos USING btree (md5(video_url)) WHERE youtube_id IS NULL;
CREATE INDEX deleted_videos_newest ON deleted_videos USING btree (deleted_at DESC, id DESC);
CREATE INDEX deleted_videos_of_job ON deleted_videos USING btree (job_id, id) WHERE job_id IS NOT NULL;
CREATE INDEX deleted_videos_of_user ON deleted_videos USING btree (user_id) WHERE user_id IS NOT NULL;
CREATE INDEX deleted_videos_youtube_id ON deleted_videos USING btree (youtube_id);

CREATE TABLE first_start_steps (
  step text NOT NULL,
  done_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT first_start_steps_pkey PRIMARY KEY (step)
);

CREATE TABLE followed_items (
  list_id uuid NOT NULL,
  youtube_id text NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT followed_items_pkey PRIMARY KEY (list_id, youtube_id),
  CONSTRAINT followed_items_list_id_fkey FOREIGN KEY (list_id) REFERENCES followed_lists(id) ON DELETE CASCADE
);

CREATE TABLE followed_lists (
  id uuid NOT NULL,
  url text NOT NULL,
  source_kind text NOT NULL,
  source_name text NOT NULL,
  playlist_id text,
  title text,
  intake text NOT NULL,
  category text NOT NULL,
  tag text NOT NULL,
  only_new boolean NOT NULL,
  is_paused boolean NOT NULL DEFAULT false,
  item_count integer,
  new_count integer NOT NULL DEFAULT 0,
  last_new_at timestamp(3) with time zone,
  requested_at timestamp(3) with time zone,
  checked_at timestamp(3) with time zone,
  next_check_at timestamp(3) with time zone NOT NULL,
  fully_read_at timestamp(3) with time zone,
  etag text,
  newest_ids text[] NOT NULL DEFAULT '{}'::text[],
  problem_code text,
  problem_message text,
  problem_since timestamp(3) with time zone,
  problem_continues_at timestamp(3) with time zone,
  created_by uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT followed_lists_pkey PRIMARY KEY (id),
  CONSTRAINT followed_lists_source_kind_source_name_key UNIQUE (source_kind, source_name),
  CONSTRAINT followed_lists_intake_check CHECK (intake = ANY (ARRAY['submissions'::text, 'direct'::text])),
  CONSTRAINT followed_lists_source_kind_check CHECK (source_kind = ANY (ARRAY['playlist'::text, 'channel'::text, 'handle'::text, 'user'::text])),
  CONSTRAINT followed_lists_tag_check CHECK (length(tag) >= 1 AND length(tag) <= 40)
);
CREATE INDEX followed_lists_due ON followed_lists USING btree (next_check_at) WHERE NOT is_paused;

CREATE TABLE home_screen_curation (
  id uuid NOT NULL,
  video_id uuid NOT NULL,
  section_type text NOT NULL,
  section_name text,
  "position" integer NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  created_by uuid,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT home_screen_curation_pkey PRIMARY KEY (id),
  CONSTRAINT home_screen_curation_check CHECK ((section_type = 'category'::text) = (section_name IS NOT NULL)),
  CONSTRAINT home_screen_curation_position_check CHECK ("position" >= 1),
  CONSTRAINT home_screen_curation_section_type_check CHECK (section_type = ANY (ARRAY['hero'::text, 'featured'::text, 'category'::text])),
  CONSTRAINT home_screen_curation_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
CREATE INDEX home_screen_curation_order ON home_screen_curation USING btree (section_type, "position", id);
CREATE INDEX home_screen_curation_video ON home_screen_curation USING btree (video_id);

CREATE TABLE inbox (
  consumer text NOT NULL,
  event_id uuid NOT NULL,
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_received_at ON inbox USING btree (received_at);

CREATE TABLE leases (
  name text NOT NULL,
  holder uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT leases_pkey PRIMARY KEY (name)
);

CREATE TABLE metadata_reminders (
  video_id uuid NOT NULL,
  due_at timestamp with time zone NOT NULL,
  sent integer NOT NULL DEFAULT 0,
  CONSTRAINT metadata_reminders_pkey PRIMARY KEY (video_id),
  CONSTRAINT metadata_reminders_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
CREATE INDEX metadata_reminders_due ON metadata_reminders USING btree (due_at);

CREATE TABLE outbox (
  seq bigint NOT NULL DEFAULT nextval('outbox_seq_seq'::regclass),
  id uuid NOT NULL,
  type text NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  actor_id text,
  correlation_id text,
  aggregate_id text NOT NULL,
  data jsonb NOT NULL,
  trace_parent text,
  written_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT outbox_pkey PRIMARY KEY (seq),
  CONSTRAINT outbox_id_key UNIQUE (id)
);
CREATE TRIGGER outbox_wake AFTER INSERT ON outbox FOR EACH STATEMENT EXECUTE FUNCTION outbox_wake();

CREATE TABLE published_events (
  seq bigint NOT NULL,
  stream text NOT NULL,
  stream_seq bigint NOT NULL,
  published_at timestamp with time zone NOT NULL DEFAULT now(),
  id uuid NOT NULL,
  type text NOT NULL,
  occurred_at timestamp with time zone NOT NULL,
  actor_id text,
  correlation_id text,
  aggregate_id text NOT NULL,
  data jsonb NOT NULL,
  trace_parent text,
  CONSTRAINT published_events_pkey PRIMARY KEY (seq)
);
CREATE INDEX published_events_position ON published_events USING btree (stream, stream_seq);
CREATE INDEX published_events_published_at ON published_events USING btree (published_at);

CREATE TABLE restricted_users (
  restriction_id uuid NOT NULL,
  user_id uuid NOT NULL,
  expires_at timestamp with time zone,
  CONSTRAINT restricted_users_pkey PRIMARY KEY (restriction_id)
);
CREATE INDEX restricted_users_of_user ON restricted_users USING btree (user_id);

CREATE TABLE search_partitions (
  id integer NOT NULL GENERATED ALWAYS AS IDENTITY,
  starts_at timestamp(3) with time zone NOT NULL,
  document_count integer NOT NULL DEFAULT 0,
  CONSTRAINT search_partitions_pkey PRIMARY KEY (id),
  CONSTRAINT search_partitions_starts_at_key UNIQUE (starts_at)
);

CREATE TABLE submissions (
  video_id uuid NOT NULL,
  state text NOT NULL DEFAULT 'submitted'::text,
  submitted_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  decided_by uuid,
  decided_at timestamp(3) with time zone,
  followed_list text,
  CONSTRAINT submissions_pkey PRIMARY KEY (video_id),
  CONSTRAINT submissions_state_check CHECK (state = ANY (ARRAY['submitted'::text, 'accepted'::text, 'rejected'::text])),
  CONSTRAINT submissions_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
CREATE INDEX submissions_decided ON submissions USING btree (state, decided_at DESC, video_id DESC);
CREATE INDEX submissions_decided_by ON submissions USING btree (decided_by) WHERE decided_by IS NOT NULL;
CREATE INDEX submissions_waiting ON submissions USING btree (state, submitted_at, video_id);

CREATE TABLE submitters (
  user_id uuid NOT NULL,
  video_id uuid NOT NULL,
  submitted_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT submitters_pkey PRIMARY KEY (user_id, video_id),
  CONSTRAINT submitters_video_id_fkey FOREIGN KEY (video_id) REFERENCES submissions(video_id) ON DELETE CASCADE
);
CREATE INDEX submitters_of_video ON submitters USING btree (video_id, submitted_at, user_id);
CREATE INDEX submitters_recent ON submitters USING btree (user_id, submitted_at);

CREATE TABLE video_documents (
  video_id uuid NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  partition_id integer NOT NULL,
  document text NOT NULL,
  CONSTRAINT video_documents_pkey PRIMARY KEY (video_id),
  CONSTRAINT video_documents_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
CREATE INDEX video_documents_index_keys ON video_documents USING gin (index_keys(document, partition_id));
CREATE INDEX video_documents_newest ON video_documents USING btree (created_at DESC, video_id DESC);
CREATE TRIGGER video_documents_merge AFTER INSERT ON video_documents FOR EACH STATEMENT EXECUTE FUNCTION merge_pending_keys('video_documents_index_keys');

CREATE TABLE video_edits (
  edit_id uuid NOT NULL,
  video_id uuid NOT NULL,
  old_artist_name text NOT NULL,
  old_artist_given boolean NOT NULL,
  old_genre text,
  old_category text,
  new_artist_name text NOT NULL,
  new_artist_given boolean NOT NULL,
  new_genre text,
  new_category text,
  edited_at timestamp with time zone NOT NULL DEFAULT now(),
  old_tags text[],
  new_tags text[],
  old_title text,
  new_title text,
  old_title_given boolean,
  new_title_given boolean,
  CONSTRAINT video_edits_pkey PRIMARY KEY (edit_id, video_id),
  CONSTRAINT video_edits_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
CREATE INDEX video_edits_by_age ON video_edits USING btree (edited_at);
CREATE INDEX video_edits_of_video ON video_edits USING btree (video_id);

CREATE TABLE video_filters (
  id uuid NOT NULL,
  name text NOT NULL,
  filter jsonb NOT NULL,
  created_by uuid,
  updated_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  CONSTRAINT video_filters_pkey PRIMARY KEY (id),
  CONSTRAINT video_filters_name_check CHECK (length(name) >= 1 AND length(name) <= 60)
);
CREATE UNIQUE INDEX video_filters_name ON video_filters USING btree (lower(name));

CREATE TABLE video_jobs (
  id uuid NOT NULL,
  kind text NOT NULL,
  change jsonb NOT NULL,
  video_ids uuid[] NOT NULL,
  undoes uuid,
  state text NOT NULL DEFAULT 'waiting'::text,
  is_cancelling boolean NOT NULL DEFAULT false,
  total integer NOT NULL,
  done integer NOT NULL DEFAULT 0,
  failed integer NOT NULL DEFAULT 0,
  changed integer NOT NULL DEFAULT 0,
  undone integer NOT NULL DEFAULT 0,
  attempts integer NOT NULL DEFAULT 0,
  created_by uuid,
  cancelled_by uuid,
  correlation_id text,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  started_at timestamp with time zone,
  finished_at timestamp with time zone,
  import_rows jsonb NOT NULL DEFAULT '[]'::jsonb,
  added_ids uuid[] NOT NULL DEFAULT '{}'::uuid[],
  CONSTRAINT video_jobs_pkey PRIMARY KEY (id),
  CONSTRAINT video_jobs_kind_check CHECK (kind = ANY (ARRAY['import'::text, 'edit'::text, 'move'::text, 'delete'::text, 'restore'::text, 'undo'::text])),
  CONSTRAINT video_jobs_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'running'::text, 'done'::text, 'cancelled'::text, 'failed'::text])),
  CONSTRAINT video_jobs_undoes_fkey FOREIGN KEY (undoes) REFERENCES video_jobs(id) ON DELETE CASCADE
);
CREATE INDEX video_jobs_finished ON video_jobs USING btree (finished_at);
CREATE INDEX video_jobs_of_job ON video_jobs USING btree (undoes);
CREATE UNIQUE INDEX video_jobs_undo ON video_jobs USING btree (undoes) WHERE state = ANY (ARRAY['waiting'::text, 'running'::text]);
CREATE INDEX video_jobs_unfinished ON video_jobs USING btree (id) WHERE state = ANY (ARRAY['waiting'::text, 'running'::text]);

CREATE TABLE video_reports (
  video_id uuid NOT NULL,
  channel_id text NOT NULL,
  reason text NOT NULL,
  report_count integer NOT NULL DEFAULT 1,
  reported_at timestamp with time zone NOT NULL,
  CONSTRAINT video_reports_pkey PRIMARY KEY (video_id, channel_id),
  CONSTRAINT video_reports_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
CREATE INDEX video_reports_channel ON video_reports USING btree (channel_id);

CREATE TABLE video_totals (
  category text NOT NULL,
  is_public boolean NOT NULL,
  video_count bigint NOT NULL,
  unavailable_count bigint NOT NULL DEFAULT 0,
  CONSTRAINT video_totals_pkey PRIMARY KEY (category, is_public)
);

CREATE TABLE videos (
  id uuid NOT NULL,
  title text NOT NULL,
  artist_name text NOT NULL,
  artist_given boolean NOT NULL,
  description text,
  genre text,
  category text,
  duration_ms integer NOT NULL,
  duration_assumed boolean NOT NULL,
  thumbnail_url text,
  video_url text NOT NULL,
  youtube_id text,
  is_public boolean NOT NULL,
  metadata_status text NOT NULL,
  unavailable_reason text,
  view_count bigint NOT NULL DEFAULT 0,
  user_id uuid,
  shuffle_key double precision NOT NULL DEFAULT random(),
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  review_state text,
  review_reason text,
  title_given boolean NOT NULL DEFAULT false,
  thumbnail_given boolean NOT NULL DEFAULT false,
  tags text[] NOT NULL DEFAULT '{}'::text[],
  start_at_ms integer NOT NULL DEFAULT 0,
  end_at_ms integer,
  like_count integer NOT NULL DEFAULT 0,
  like_version bigint NOT NULL DEFAULT 0,
  CONSTRAINT videos_pkey PRIMARY KEY (id),
  CONSTRAINT videos_artist_name_check CHECK (length(artist_name) <= 200),
  CONSTRAINT videos_duration_ms_check CHECK (duration_ms > 0),
  CONSTRAINT videos_metadata_status_check CHECK (metadata_status = ANY (ARRAY['pending'::text, 'resolved'::text, 'unavailable'::text])),
  CONSTRAINT videos_review CHECK (review_state IS NULL OR (review_state = ANY (ARRAY['submitted'::text, 'rejected'::text])) AND NOT is_public),
  CONSTRAINT videos_tags CHECK (tags = '{}'::text[] OR are_tags(tags)),
  CONSTRAINT videos_trim_points CHECK (start_at_ms >= 0 AND (end_at_ms IS NULL OR end_at_ms >= (start_at_ms + 1000)))
) WITH (fillfactor=85);
CREATE INDEX videos_accepted_artist ON videos USING btree ("left"(lower(artist_name), 80), id) WHERE review_state IS NULL;
CREATE INDEX videos_accepted_category ON videos USING btree (COALESCE(category, ''::text), id) WHERE review_state IS NULL;
CREATE INDEX videos_accepted_duration ON videos USING btree (lpad(played_ms(duration_ms, start_at_ms, end_at_ms)::text, 10, '0'::text), id) WHERE review_state IS NULL;
CREATE INDEX videos_accepted_genre ON videos USING btree ("left"(lower(COALESCE(genre, ''::text)), 80), id) WHERE review_state IS NULL;
CREATE INDEX videos_accepted_likes ON videos USING btree (lpad(like_count::text, 10, '0'::text), id) WHERE review_state IS NULL;
CREATE INDEX videos_accepted_newest ON videos USING btree (created_at DESC, id DESC) WHERE review_state IS NULL;
CREATE INDEX videos_accepted_title ON videos USING btree ("left"(lower(title), 80), id) WHERE review_state IS NULL;
CREATE INDEX videos_category_artist ON videos USING btree (category, "left"(lower(artist_name), 80), id);
CREATE INDEX videos_category_duration ON videos USING btree (category, lpad(played_ms(duration_ms, start_at_ms, end_at_ms)::text, 10, '0'::text), id);
CREATE INDEX videos_category_genre ON videos USING btree (category, "left"(lower(COALESCE(genre, ''::text)), 80), id);
CREATE INDEX videos_category_likes ON videos USING btree (category, lpad(like_count::text, 10, '0'::text), id);
CREATE INDEX videos_category_newest ON videos USING btree (category, created_at DESC, id DESC);
CREATE INDEX videos_category_title ON videos USING btree (category, "left"(lower(title), 80), id);
CREATE INDEX videos_given_tags ON videos USING gin (lower_tags(tags)) WHERE tags <> '{}'::text[];
CREATE INDEX videos_loading ON videos USING btree (id) WHERE title = 'Loading...'::text AND youtube_id IS NOT NULL;
CREATE UNIQUE INDEX videos_media_url ON videos USING btree (md5(video_url)) WHERE youtube_id IS NULL;
CREATE INDEX videos_of_artist ON videos USING btree (artist_name, created_at DESC, id DESC) WHERE is_public;
CREATE INDEX videos_of_user ON videos USING btree (user_id, created_at) WHERE user_id IS NOT NULL;
CREATE INDEX videos_public_newest ON videos USING btree (created_at DESC, id DESC) WHERE is_public;
CREATE INDEX videos_shuffle ON videos USING btree (shuffle_key) WHERE is_public AND metadata_status <> 'unavailable'::text;
CREATE INDEX videos_tagged ON videos USING btree (created_at DESC) INCLUDE (tags) WHERE tags <> '{}'::text[] AND review_state IS NULL;
CREATE INDEX videos_unseen_newest ON videos USING btree (created_at DESC, id DESC) WHERE NOT is_listed(is_public, metadata_status, title) AND review_state IS NULL;
CREATE UNIQUE INDEX videos_youtube_id ON videos USING btree (youtube_id);
CREATE TRIGGER video_artists_added AFTER INSERT ON videos REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_artists();
CREATE TRIGGER video_artists_removed AFTER DELETE ON videos REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_artists();
CREATE TRIGGER video_counts_updated AFTER UPDATE ON videos REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_video_updates();
CREATE TRIGGER video_documents_added AFTER INSERT ON videos REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_video_documents();
CREATE TRIGGER video_documents_updated AFTER UPDATE ON videos REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION update_video_documents();
CREATE TRIGGER video_totals_added AFTER INSERT ON videos REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION count_video_totals();
CREATE TRIGGER video_totals_removed AFTER DELETE ON videos REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION count_video_totals();
CREATE TRIGGER videos_metadata_reminder AFTER UPDATE OF metadata_status, duration_assumed ON videos FOR EACH ROW EXECUTE FUNCTION keep_metadata_reminder();
CREATE TRIGGER videos_metadata_reminders_added AFTER INSERT ON videos REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION add_metadata_reminders();

CREATE TABLE view_marks (
  viewer_id uuid NOT NULL,
  video_id uuid NOT NULL,
  counted_at timestamp with time zone NOT NULL,
  CONSTRAINT view_marks_pkey PRIMARY KEY (viewer_id, video_id),
  CONSTRAINT view_marks_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
CREATE INDEX view_marks_counted_at ON view_marks USING btree (counted_at);
CREATE INDEX view_marks_video ON view_marks USING btree (video_id);

CREATE TABLE youtube_playlist_items (
  id uuid NOT NULL,
  playlist_id uuid NOT NULL,
  video_id uuid NOT NULL,
  "position" integer NOT NULL,
  added_by uuid,
  CONSTRAINT youtube_playlist_items_pkey PRIMARY KEY (id),
  CONSTRAINT youtube_playlist_items_position_check CHECK ("position" >= 0),
  CONSTRAINT youtube_playlist_items_playlist_id_fkey FOREIGN KEY (playlist_id) REFERENCES youtube_playlists(id) ON DELETE CASCADE,
  CONSTRAINT youtube_playlist_items_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
CREATE INDEX youtube_playlist_items_of_video ON youtube_playlist_items USING btree (playlist_id, video_id);
CREATE INDEX youtube_playlist_items_order ON youtube_playlist_items USING btree (playlist_id, "position", id);
CREATE INDEX youtube_playlist_items_video ON youtube_playlist_items USING btree (video_id);
CREATE TRIGGER youtube_playlist_items_counted AFTER INSERT OR DELETE ON youtube_playlist_items FOR EACH ROW EXECUTE FUNCTION count_playlist_items();

CREATE TABLE youtube_playlists (
  id uuid NOT NULL,
  name text NOT NULL,
  description text,
  user_id uuid NOT NULL,
  shuffle_mode boolean NOT NULL DEFAULT false,
  loop_mode text NOT NULL DEFAULT 'off'::text,
  auto_advance boolean NOT NULL DEFAULT true,
  is_public boolean NOT NULL DEFAULT false,
  is_active boolean NOT NULL DEFAULT true,
  item_count integer NOT NULL DEFAULT 0,
  created_at timestamp(3) with time zone NOT NULL DEFAULT now(),
  is_default boolean NOT NULL DEFAULT false,
  CONSTRAINT youtube_playlists_pkey PRIMARY KEY (id),
  CONSTRAINT youtube_playlists_loop_mode_check CHECK (loop_mode = ANY (ARRAY['off'::text, 'single'::text, 'playlist'::text]))
);
CREATE UNIQUE INDEX youtube_playlists_default ON youtube_playlists USING btree (user_id) WHERE is_default AND is_active;
CREATE INDEX youtube_playlists_of_user ON youtube_playlists USING btree (user_id, created_at DESC, id DESC) WHERE is_active;
CREATE INDEX youtube_playlists_user ON youtube_playlists USING btree (user_id);

CREATE OR REPLACE FUNCTION catalogue.add_metadata_reminders()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  insert into metadata_reminders (video_id, due_at)
  select id, case when youtube_id is null then now() else now() + interval '40 s' end from added
  where case when youtube_id is null then duration_assumed else metadata_status = 'pending' end
  on conflict (video_id) do nothing;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION catalogue.add_video_documents()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if not exists (select from added where is_listed(is_public, metadata_status, title)) then
    return null;
  end if;
  perform pg_advisory_xact_lock(hashtext('catalogue.search_partitions'));
  with written as (
    insert into video_documents (video_id, created_at, partition_id, document)
    select id, created_at, partition_of(created_at), video_document(title, artist_name, description, genre)
    from added where is_listed(is_public, metadata_status, title)
    returning partition_id
  )
  update search_partitions set document_count = document_count + counted.documents
  from (select partition_id, count(*) as documents from written group by 1) counted where id = counted.partition_id;
  perform close_full_partition();
  return null;
end $function$;

CREATE OR REPLACE FUNCTION catalogue.are_tags(tags text[])
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select count(*) <= 20 and count(distinct tag) = count(*)
    and coalesce(bool_and(length(tag) between 1 and 40 and tag = btrim(tag) and tag not like '%,%'), true)
  from unnest(tags) tag
$function$;

CREATE OR REPLACE FUNCTION catalogue.close_full_partition()
 RETURNS void
 LANGUAGE plpgsql
AS $function$
declare
  newest search_partitions;
begin
  select * into newest from search_partitions order by starts_at desc limit 1;
  if newest.document_count > 16384 then
    insert into search_partitions (starts_at)
    select greatest(max(created_at), newest.starts_at) + interval '1 ms' from video_documents
    where created_at >= newest.starts_at;
  end if;
end $function$;

CREATE OR REPLACE FUNCTION catalogue.count_artists()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into artists as t select artist_name, lower(artist_name), count(*)
    from added where counts_for_artist(is_public, metadata_status, title, artist_name, artist_given)
    group by 1 order by 1
    on conflict (name) do update set video_count = t.video_count + excluded.video_count;
  elsif tg_op = 'DELETE' then
    insert into artists as t select artist_name, lower(artist_name), -count(*)
    from removed where counts_for_artist(is_public, metadata_status, title, artist_name, artist_given)
    group by 1 order by 1
    on conflict (name) do update set video_count = t.video_count + excluded.video_count;
  else
    insert into artists as t select name, lower(name), sum(delta) from (values
      (old.artist_name, -counts_for_artist(
        old.is_public, old.metadata_status, old.title, old.artist_name, old.artist_given)::integer),
      (new.artist_name, counts_for_artist(
        new.is_public, new.metadata_status, new.title, new.artist_name, new.artist_given)::integer)
    ) v (name, delta)
    group by 1 having sum(delta) <> 0 order by 1
    on conflict (name) do update set video_count = t.video_count + excluded.video_count;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION catalogue.count_playlist_items()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    update youtube_playlists set item_count = item_count + 1 where id = new.playlist_id and is_active;
  else
    update youtube_playlists set item_count = item_count - 1 where id = old.playlist_id and is_active;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION catalogue.count_video_totals()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  if tg_op = 'INSERT' then
    insert into video_totals as t (category, is_public, video_count, unavailable_count)
    select coalesce(category, ''), is_public, count(*), count(*) filter (where not is_listed(true, metadata_status, title))
    from added where review_state is null group by 1, 2 order by 1, 2
    on conflict (category, is_public) do update set
      video_count = t.video_count + excluded.video_count,
      unavailable_count = t.unavailable_count + excluded.unavailable_count;
  elsif tg_op = 'DELETE' then
    insert into video_totals as t (category, is_public, video_count, unavailable_count)
    select coalesce(category, ''), is_public, -count(*), -count(*) filter (where not is_listed(true, metadata_status, title))
    from removed where review_state is null group by 1, 2 order by 1, 2
    on conflict (category, is_public) do update set
      video_count = t.video_count + excluded.video_count,
      unavailable_count = t.unavailable_count + excluded.unavailable_count;
  else
    insert into video_totals as t (category, is_public, video_count, unavailable_count)
    select category, is_public, sum(one), sum(case when is_available then 0 else one end)
    from (values
      (coalesce(old.category, ''), old.is_public, is_listed(true, old.metadata_status, old.title), old.review_state, -1),
      (coalesce(new.category, ''), new.is_public, is_listed(true, new.metadata_status, new.title), new.review_state, 1)
    ) v (category, is_public, is_available, review_state, one)
    where review_state is null
    group by 1, 2 order by 1, 2
    on conflict (category, is_public) do update set
      video_count = t.video_count + excluded.video_count,
      unavailable_count = t.unavailable_count + excluded.unavailable_count;
  end if;
  return null;
end $function$;

CREATE OR REPLACE FUNCTION catalogue.count_video_updates()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION catalogue.counts_for_artist(is_public boolean, metadata_status text, artist_name text, artist_given boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select is_listed(is_public, metadata_status) and (artist_given or artist_name <> 'Unknown Artist')
$function$;

CREATE OR REPLACE FUNCTION catalogue.counts_for_artist(is_public boolean, metadata_status text, title text, artist_name text, artist_given boolean)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select is_listed(is_public, metadata_status, title) and (artist_given or artist_name <> 'Unknown Artist')
$function$;

CREATE OR REPLACE FUNCTION catalogue.index_key(gram text, partition_id integer)
 RETURNS bigint
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select (partition_id::bigint << 40) | (hashtextextended(gram, 0) & ((1::bigint << 40) - 1))
$function$;

CREATE OR REPLACE FUNCTION catalogue.index_keys(document text, partition_id integer)
 RETURNS bigint[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION catalogue.is_listed(is_public boolean, metadata_status text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
select is_public and metadata_status <> 'unavailable' $function$;

CREATE OR REPLACE FUNCTION catalogue.is_listed(is_public boolean, metadata_status text, title text)
 RETURNS boolean
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select is_public and metadata_status <> 'unavailable' and title <> 'Loading...'
$function$;

CREATE OR REPLACE FUNCTION catalogue.keep_metadata_reminder()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION catalogue.lower_tags(tags text[])
 RETURNS text[]
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select coalesce(array_agg(lower(tag)), '{}') from unnest(tags) tag
$function$;

CREATE OR REPLACE FUNCTION catalogue.merge_pending_keys()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform gin_clean_pending_list(tg_argv[0]::regclass);
  return null;
end $function$;

CREATE OR REPLACE FUNCTION catalogue.outbox_wake()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('outbox_' || tg_table_schema, '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION catalogue.partition_of(created timestamp with time zone)
 RETURNS integer
 LANGUAGE sql
 STABLE
AS $function$
  select id from search_partitions where starts_at <= created order by starts_at desc limit 1
$function$;

CREATE OR REPLACE FUNCTION catalogue.played_ms(duration_ms integer, start_at_ms integer, end_at_ms integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select least(end_at_ms, duration_ms)
    - greatest(0, least(start_at_ms, least(end_at_ms, duration_ms) - 1000))
$function$;

CREATE OR REPLACE FUNCTION catalogue.query_grams(query text)
 RETURNS text[]
 LANGUAGE plpgsql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION catalogue.search_artists(query text, pattern text, max_rows integer)
 RETURNS TABLE(name text, video_count bigint)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET work_mem TO '64MB'
AS $function$
declare
  keys bigint[] := (select array_agg(index_key(gram, 0)) from unnest(query_grams(lower(query))) gram);
  lower_pattern text := lower(pattern);
begin
  return query
    select a.name, a.video_count from artists a
    where index_keys(a.document, 0) @> keys and a.document like lower_pattern and a.video_count > 0
    order by a.video_count desc, a.name limit max_rows;
end $function$;

CREATE OR REPLACE FUNCTION catalogue.search_video_documents(query text, pattern text, max_rows integer)
 RETURNS TABLE(video_id uuid, created_at timestamp with time zone)
 LANGUAGE plpgsql
 STABLE
 SET enable_seqscan TO 'off'
 SET enable_indexscan TO 'off'
 SET work_mem TO '64MB'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION catalogue.search_videos(query text, pattern text, max_rows integer, newest_scanned integer)
 RETURNS SETOF uuid
 LANGUAGE plpgsql
 STABLE ROWS 20
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION catalogue.spread_positions(total integer, max_count integer)
 RETURNS SETOF integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE STRICT
AS $function$
  select total - nth * (total - 1) / greatest(1, least(total, max_count) - 1)
  from generate_series(0, least(total, max_count) - 1) nth
$function$;

CREATE OR REPLACE FUNCTION catalogue.update_video_documents()
 RETURNS trigger
 LANGUAGE plpgsql
 SET enable_nestloop TO 'off'
AS $function$
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
end $function$;

CREATE OR REPLACE FUNCTION catalogue.video_document(title text, artist_name text, description text, genre text)
 RETURNS text
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select lower(concat_ws(chr(31), title, artist_name, coalesce(description, ''), coalesce(genre, '')))
$function$;
