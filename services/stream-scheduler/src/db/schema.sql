-- The schema after all migrations, for reading. Written by `pnpm schema:dump`; migrations change it.

CREATE TABLE air_log (
  channel_id text NOT NULL,
  seq bigint NOT NULL,
  round_seq bigint NOT NULL,
  item_id uuid NOT NULL,
  video_id uuid NOT NULL,
  title text NOT NULL,
  artist_name text NOT NULL,
  started_at_ms bigint NOT NULL,
  ended_at_ms bigint NOT NULL,
  reason jsonb,
  listeners integer,
  CONSTRAINT air_log_pkey PRIMARY KEY (channel_id, seq),
  CONSTRAINT air_log_check CHECK (ended_at_ms > started_at_ms),
  CONSTRAINT air_log_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);
CREATE INDEX air_log_hour ON air_log USING btree ((started_at_ms / 3600000));
CREATE INDEX air_log_time ON air_log USING btree (channel_id, started_at_ms DESC);

CREATE TABLE backfills (
  name text NOT NULL,
  completed_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT backfills_pkey PRIMARY KEY (name)
);

CREATE TABLE channel_playlists (
  id uuid NOT NULL,
  channel_id text NOT NULL,
  video_id uuid NOT NULL,
  "position" bigint NOT NULL,
  created_by uuid,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT channel_playlists_pkey PRIMARY KEY (id),
  CONSTRAINT channel_playlists_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);
CREATE INDEX channel_playlists_order ON channel_playlists USING btree (channel_id, "position", id);
CREATE INDEX channel_playlists_video ON channel_playlists USING btree (video_id);

CREATE TABLE channels (
  id text NOT NULL,
  name text NOT NULL,
  description text,
  "position" integer NOT NULL,
  is_active boolean NOT NULL DEFAULT true,
  shuffle_enabled boolean NOT NULL DEFAULT false,
  status text NOT NULL DEFAULT 'idle'::text,
  status_changed_at timestamp with time zone NOT NULL DEFAULT now(),
  timeline_version bigint NOT NULL DEFAULT 0,
  loop_version bigint NOT NULL DEFAULT 0,
  seed text NOT NULL,
  next_seq bigint NOT NULL DEFAULT 1,
  ends_at_ms bigint,
  aired_seq bigint NOT NULL DEFAULT 0,
  leader uuid,
  created_by uuid,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  schedule_version integer NOT NULL DEFAULT 0,
  schedule_problems integer NOT NULL DEFAULT 0,
  planned_checksum text,
  logo_url text,
  takes_requests boolean NOT NULL DEFAULT false,
  request_every integer,
  CONSTRAINT channels_pkey PRIMARY KEY (id),
  CONSTRAINT channels_request_every_check CHECK (request_every >= 2),
  CONSTRAINT channels_status_check CHECK (status = ANY (ARRAY['idle'::text, 'syncing'::text, 'live'::text]))
);
CREATE INDEX channels_leader ON channels USING btree (leader) WHERE status <> 'idle'::text;

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

CREATE TABLE first_start_steps (
  step text NOT NULL,
  done_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT first_start_steps_pkey PRIMARY KEY (step)
);

CREATE TABLE inbox (
  consumer text NOT NULL,
  event_id uuid NOT NULL,
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_received_at ON inbox USING btree (received_at);

CREATE TABLE last_airings (
  channel_id text NOT NULL,
  video_id uuid NOT NULL,
  started_at_ms bigint NOT NULL,
  ended_at_ms bigint NOT NULL,
  airings bigint NOT NULL DEFAULT 1,
  CONSTRAINT last_airings_pkey PRIMARY KEY (channel_id, video_id),
  CONSTRAINT last_airings_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  CONSTRAINT last_airings_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
CREATE INDEX last_airings_video ON last_airings USING btree (video_id);

CREATE TABLE leases (
  name text NOT NULL,
  holder uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT leases_pkey PRIMARY KEY (name)
);

CREATE TABLE log_edits (
  id uuid NOT NULL,
  channel_id text NOT NULL,
  action text NOT NULL,
  video_id uuid NOT NULL,
  starts_at_ms bigint NOT NULL,
  ends_at_ms bigint NOT NULL,
  operations jsonb NOT NULL,
  created_by uuid,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT log_edits_pkey PRIMARY KEY (id),
  CONSTRAINT log_edits_action CHECK (action = ANY (ARRAY['insert'::text, 'skip'::text, 'swap'::text, 'move'::text])),
  CONSTRAINT log_edits_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);
CREATE INDEX log_edits_channel ON log_edits USING btree (channel_id, ends_at_ms);

CREATE TABLE loops (
  channel_id text NOT NULL,
  round_seq bigint NOT NULL,
  item_ids uuid[] NOT NULL,
  next_place integer NOT NULL,
  CONSTRAINT loops_pkey PRIMARY KEY (channel_id),
  CONSTRAINT loops_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);

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

CREATE TABLE playback_reports (
  video_id uuid NOT NULL,
  kind text NOT NULL,
  viewer text NOT NULL,
  channel_id text NOT NULL,
  error_code integer,
  duration_ms integer,
  reported_at timestamp with time zone NOT NULL,
  network text,
  country text,
  CONSTRAINT playback_reports_pkey PRIMARY KEY (video_id, kind, viewer),
  CONSTRAINT playback_reports_country CHECK (country ~ '^[A-Z]{2}$'::text),
  CONSTRAINT playback_reports_kind_check CHECK (kind = ANY (ARRAY['error'::text, 'duration'::text])),
  CONSTRAINT playback_reports_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  CONSTRAINT playback_reports_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id) ON DELETE CASCADE
);
CREATE INDEX playback_reports_age ON playback_reports USING btree (reported_at);
CREATE INDEX playback_reports_channel ON playback_reports USING btree (channel_id);
CREATE INDEX playback_reports_errors ON playback_reports USING btree (video_id, country, error_code, reported_at) WHERE kind = 'error'::text;
CREATE INDEX playback_reports_viewer ON playback_reports USING btree (viewer, reported_at) WHERE kind = 'error'::text;

CREATE TABLE programmes (
  channel_id text NOT NULL,
  seq bigint NOT NULL,
  prev_seq bigint,
  round_seq bigint NOT NULL,
  item_id uuid,
  video_id uuid,
  video_version bigint NOT NULL,
  version bigint NOT NULL,
  starts_at_ms bigint NOT NULL,
  ends_at_ms bigint NOT NULL,
  kind text NOT NULL DEFAULT 'video'::text,
  reason jsonb,
  offset_ms integer NOT NULL DEFAULT 0,
  CONSTRAINT programmes_pkey PRIMARY KEY (channel_id, seq),
  CONSTRAINT programmes_channel_id_seq_ends_at_ms_key UNIQUE (channel_id, seq, ends_at_ms),
  CONSTRAINT programmes_no_overlap EXCLUDE USING gist (channel_id WITH =, int8range(starts_at_ms, ends_at_ms) WITH &&),
  CONSTRAINT programmes_kind CHECK (kind = ANY (ARRAY['video'::text, 'ident'::text, 'countdown'::text])),
  CONSTRAINT programmes_length CHECK (ends_at_ms > starts_at_ms),
  CONSTRAINT programmes_predecessor CHECK (prev_seq = (seq - 1)),
  CONSTRAINT programmes_seq_check CHECK (seq >= 1),
  CONSTRAINT programmes_video CHECK ((kind = 'video'::text) = (video_id IS NOT NULL AND item_id IS NOT NULL)),
  CONSTRAINT programmes_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE,
  CONSTRAINT programmes_no_gap FOREIGN KEY (channel_id, prev_seq, starts_at_ms) REFERENCES programmes(channel_id, seq, ends_at_ms) DEFERRABLE INITIALLY DEFERRED,
  CONSTRAINT programmes_video_id_fkey FOREIGN KEY (video_id) REFERENCES videos(id)
);
CREATE UNIQUE INDEX programmes_one_first ON programmes USING btree (channel_id) WHERE prev_seq IS NULL;
CREATE INDEX programmes_successor ON programmes USING btree (channel_id, prev_seq);
CREATE INDEX programmes_video ON programmes USING btree (video_id);

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

CREATE TABLE removed_playlist_items (
  id uuid NOT NULL,
  channel_id text NOT NULL,
  video_id uuid NOT NULL,
  "position" bigint NOT NULL,
  created_by uuid,
  created_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT removed_playlist_items_pkey PRIMARY KEY (id),
  CONSTRAINT removed_playlist_items_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);
CREATE INDEX removed_playlist_items_by_age ON removed_playlist_items USING btree (removed_at);
CREATE INDEX removed_playlist_items_channel ON removed_playlist_items USING btree (channel_id);
CREATE INDEX removed_playlist_items_video ON removed_playlist_items USING btree (video_id);

CREATE TABLE replicas (
  id uuid NOT NULL,
  seen_at timestamp with time zone NOT NULL,
  CONSTRAINT replicas_pkey PRIMARY KEY (id)
);

CREATE TABLE request_plans (
  channel_id text NOT NULL,
  decided_until_ms bigint NOT NULL,
  freeze_ms bigint NOT NULL,
  decide_at_ms bigint,
  body jsonb NOT NULL,
  CONSTRAINT request_plans_pkey PRIMARY KEY (channel_id),
  CONSTRAINT request_plans_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);
CREATE INDEX request_plans_due ON request_plans USING btree (decide_at_ms);

CREATE TABLE request_queues (
  channel_id text NOT NULL,
  sequence bigint NOT NULL,
  part integer NOT NULL,
  parts integer NOT NULL,
  body jsonb NOT NULL,
  CONSTRAINT request_queues_pkey PRIMARY KEY (channel_id, sequence, part),
  CONSTRAINT request_queues_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);

CREATE TABLE schedule_drafts (
  channel_id text NOT NULL,
  revision integer NOT NULL,
  document jsonb NOT NULL,
  based_on_version integer NOT NULL,
  saved_at timestamp with time zone NOT NULL DEFAULT now(),
  saved_by uuid,
  submitted_by uuid,
  submitted_at timestamp with time zone,
  submission_note text NOT NULL DEFAULT ''::text,
  sent_back_by uuid,
  sent_back_at timestamp with time zone,
  sent_back_reason text NOT NULL DEFAULT ''::text,
  CONSTRAINT schedule_drafts_pkey PRIMARY KEY (channel_id),
  CONSTRAINT schedule_drafts_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);

CREATE TABLE schedule_states (
  channel_id text NOT NULL,
  seq bigint NOT NULL,
  starts_at_ms bigint NOT NULL,
  state jsonb,
  CONSTRAINT schedule_states_pkey PRIMARY KEY (channel_id),
  CONSTRAINT schedule_states_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);

CREATE TABLE schedule_versions (
  channel_id text NOT NULL,
  version integer NOT NULL,
  document jsonb NOT NULL,
  published_at timestamp with time zone NOT NULL DEFAULT now(),
  published_by uuid,
  restored_from integer,
  note text NOT NULL DEFAULT ''::text,
  CONSTRAINT schedule_versions_pkey PRIMARY KEY (channel_id, version),
  CONSTRAINT schedule_versions_version_check CHECK (version >= 1),
  CONSTRAINT schedule_versions_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);

CREATE TABLE stale_channels (
  channel_id text NOT NULL,
  since timestamp with time zone NOT NULL DEFAULT now(),
  keeps_frozen boolean NOT NULL DEFAULT false,
  CONSTRAINT stale_channels_pkey PRIMARY KEY (channel_id),
  CONSTRAINT stale_channels_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);

CREATE TABLE takeovers (
  channel_id text NOT NULL,
  id uuid NOT NULL,
  title text NOT NULL,
  items jsonb NOT NULL,
  is_live boolean NOT NULL,
  starts_at_ms bigint NOT NULL,
  ends_at_ms bigint,
  return_policy text NOT NULL,
  is_stopped boolean NOT NULL DEFAULT false,
  interrupted jsonb NOT NULL,
  started_by uuid,
  started_at_ms bigint NOT NULL,
  CONSTRAINT takeovers_pkey PRIMARY KEY (channel_id),
  CONSTRAINT takeovers_id_key UNIQUE (id),
  CONSTRAINT takeovers_check CHECK (ends_at_ms > starts_at_ms),
  CONSTRAINT takeovers_return_policy_check CHECK (return_policy = ANY (ARRAY['join'::text, 'continue'::text])),
  CONSTRAINT takeovers_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);

CREATE TABLE timeline_changes (
  channel_id text NOT NULL,
  version bigint NOT NULL,
  kind text NOT NULL,
  actor_id uuid,
  next_seq bigint NOT NULL,
  changed_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT timeline_changes_pkey PRIMARY KEY (channel_id, version),
  CONSTRAINT timeline_changes_kind_check CHECK (kind = ANY (ARRAY['edit'::text, 'restart'::text, 'reset'::text, 'takeover'::text])),
  CONSTRAINT timeline_changes_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);
CREATE INDEX timeline_changes_by_time ON timeline_changes USING btree (changed_at);

CREATE TABLE videos (
  id uuid NOT NULL,
  title text NOT NULL,
  artist_name text NOT NULL,
  description text,
  genre text,
  duration_ms integer NOT NULL,
  duration_assumed boolean NOT NULL,
  thumbnail_url text,
  video_url text NOT NULL,
  youtube_id text,
  is_public boolean NOT NULL,
  metadata_status text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  removed_at timestamp with time zone,
  quarantined_at timestamp with time zone,
  quarantine_reason text,
  quarantine_channel_id text,
  version bigint NOT NULL DEFAULT 1,
  event_version bigint NOT NULL DEFAULT 0,
  playable boolean NOT NULL GENERATED ALWAYS AS (((removed_at IS NULL) AND (quarantined_at IS NULL) AND (metadata_status <> 'unavailable'::text) AND ((youtube_id IS NOT NULL) OR (video_url ~* '.(mp4|webm|m3u8)([?#]|$)'::text)))) STORED,
  category text,
  tags text[] NOT NULL DEFAULT '{}'::text[],
  view_count bigint NOT NULL DEFAULT 0,
  start_at_ms integer NOT NULL DEFAULT 0,
  end_at_ms integer,
  CONSTRAINT videos_pkey PRIMARY KEY (id),
  CONSTRAINT videos_duration_ms_check CHECK (duration_ms >= 1)
);
CREATE INDEX videos_in_order ON videos USING btree (created_at, id) WHERE playable AND is_public;
CREATE INDEX videos_quarantined ON videos USING btree (quarantined_at DESC, id) WHERE quarantined_at IS NOT NULL;
CREATE INDEX videos_removed ON videos USING btree (removed_at) WHERE removed_at IS NOT NULL;

CREATE OR REPLACE FUNCTION scheduler.outbox_wake()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('outbox_' || tg_table_schema, '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION scheduler.played_from_ms(duration_ms integer, start_at_ms integer, end_at_ms integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select greatest(0, least(start_at_ms, least(end_at_ms, duration_ms) - 1000))
$function$;

CREATE OR REPLACE FUNCTION scheduler.played_ms(duration_ms integer, start_at_ms integer, end_at_ms integer)
 RETURNS integer
 LANGUAGE sql
 IMMUTABLE PARALLEL SAFE
AS $function$
  select least(end_at_ms, duration_ms)
    - greatest(0, least(start_at_ms, least(end_at_ms, duration_ms) - 1000))
$function$;
