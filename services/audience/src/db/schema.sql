-- The schema after all migrations, for reading. Written by `pnpm schema:dump`; migrations change it.

CREATE TABLE airings (
  channel_id text NOT NULL,
  seq bigint NOT NULL,
  airing_id text NOT NULL,
  video_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  ends_at timestamp(3) with time zone NOT NULL,
  viewers_at_start integer,
  viewers_at_end integer,
  likes integer NOT NULL DEFAULT 0,
  messages integer NOT NULL DEFAULT 0,
  is_counted boolean NOT NULL DEFAULT false,
  title text,
  artist_name text,
  attendance jsonb NOT NULL DEFAULT '{}'::jsonb,
  joins integer,
  leaves integer,
  reaction_count integer NOT NULL DEFAULT 0,
  requests integer NOT NULL DEFAULT 0,
  CONSTRAINT airings_pkey PRIMARY KEY (channel_id, seq)
) WITH (fillfactor=70);
CREATE INDEX airings_old ON airings USING btree (starts_at);
CREATE INDEX airings_time ON airings USING btree (channel_id, starts_at);
CREATE INDEX airings_uncounted ON airings USING btree (starts_at) WHERE NOT is_counted;

CREATE TABLE channels (
  id text NOT NULL,
  is_open boolean NOT NULL DEFAULT true,
  queue_sequence bigint NOT NULL DEFAULT 0,
  turn_base_ms bigint NOT NULL DEFAULT 0,
  planned_at timestamp(3) with time zone,
  has_forgotten_debt boolean NOT NULL DEFAULT false,
  CONSTRAINT channels_pkey PRIMARY KEY (id)
);

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

CREATE TABLE decisions (
  request_id uuid NOT NULL,
  channel_id text NOT NULL,
  sequence bigint NOT NULL,
  currency text NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  decided_at timestamp(3) with time zone NOT NULL,
  earlier jsonb NOT NULL,
  CONSTRAINT decisions_pkey PRIMARY KEY (request_id),
  CONSTRAINT decisions_currency_check CHECK (currency = ANY (ARRAY['turn'::text, 'vote'::text])),
  CONSTRAINT decisions_channel_id_sequence_fkey FOREIGN KEY (channel_id, sequence) REFERENCES queue_bodies(channel_id, sequence) ON DELETE CASCADE,
  CONSTRAINT decisions_request_id_fkey FOREIGN KEY (request_id) REFERENCES requests(id) ON DELETE CASCADE
);
CREATE INDEX decisions_queue ON decisions USING btree (channel_id, sequence);

CREATE TABLE exclusions (
  id uuid NOT NULL,
  channel_id text NOT NULL,
  video_id uuid,
  artist_name text,
  artist_key text,
  created_by uuid,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT exclusions_pkey PRIMARY KEY (id),
  CONSTRAINT exclusions_channel_id_artist_key_key UNIQUE (channel_id, artist_key),
  CONSTRAINT exclusions_channel_id_video_id_key UNIQUE (channel_id, video_id),
  CONSTRAINT exclusions_check CHECK ((video_id IS NULL) <> (artist_key IS NULL)),
  CONSTRAINT exclusions_check1 CHECK ((artist_name IS NULL) = (artist_key IS NULL)),
  CONSTRAINT exclusions_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);

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

CREATE TABLE liked_videos (
  video_id uuid NOT NULL,
  like_count integer NOT NULL DEFAULT 0,
  version bigint NOT NULL DEFAULT 0,
  is_public boolean NOT NULL DEFAULT true,
  removed_at timestamp(3) with time zone,
  is_changed boolean NOT NULL DEFAULT false,
  CONSTRAINT liked_videos_pkey PRIMARY KEY (video_id),
  CONSTRAINT liked_videos_like_count_check CHECK (like_count >= 0)
) WITH (fillfactor=70);
CREATE INDEX liked_videos_changed ON liked_videos USING btree (video_id) WHERE is_changed;
CREATE INDEX liked_videos_removed ON liked_videos USING btree (removed_at) WHERE removed_at IS NOT NULL;

CREATE TABLE likes (
  user_id uuid NOT NULL,
  video_id uuid NOT NULL,
  liked_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT likes_pkey PRIMARY KEY (user_id, video_id),
  CONSTRAINT likes_video_id_fkey FOREIGN KEY (video_id) REFERENCES liked_videos(video_id) ON DELETE CASCADE
);
CREATE INDEX likes_newest ON likes USING btree (user_id, liked_at, video_id);
CREATE INDEX likes_video_time ON likes USING btree (video_id, liked_at);

CREATE TABLE networks (
  user_id uuid NOT NULL,
  day date NOT NULL,
  network_key text NOT NULL,
  next_network_key text NOT NULL,
  CONSTRAINT networks_pkey PRIMARY KEY (user_id)
);
CREATE INDEX networks_day ON networks USING btree (day);

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

CREATE TABLE poll_changes (
  poll_id uuid NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  CONSTRAINT poll_changes_pkey PRIMARY KEY (poll_id, id),
  CONSTRAINT poll_changes_poll_id_fkey FOREIGN KEY (poll_id) REFERENCES polls(id) ON DELETE CASCADE
);

CREATE TABLE poll_votes (
  poll_id uuid NOT NULL,
  user_id uuid NOT NULL,
  answer smallint NOT NULL,
  voted_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT poll_votes_pkey PRIMARY KEY (poll_id, user_id),
  CONSTRAINT poll_votes_answer_check CHECK (answer >= 0),
  CONSTRAINT poll_votes_poll_id_fkey FOREIGN KEY (poll_id) REFERENCES polls(id) ON DELETE CASCADE
);
CREATE INDEX poll_votes_user ON poll_votes USING btree (user_id, poll_id);

CREATE TABLE polls (
  id uuid NOT NULL,
  channel_id text NOT NULL,
  airing_id text,
  question text NOT NULL,
  answers text[] NOT NULL,
  counts integer[] NOT NULL,
  asked_by uuid NOT NULL,
  asked_at timestamp(3) with time zone NOT NULL,
  closes_at timestamp(3) with time zone NOT NULL,
  closed_at timestamp(3) with time zone,
  version integer NOT NULL DEFAULT 1,
  CONSTRAINT polls_pkey PRIMARY KEY (id),
  CONSTRAINT polls_answers_check CHECK (cardinality(answers) >= 2 AND cardinality(answers) <= 6),
  CONSTRAINT polls_check CHECK (cardinality(counts) = cardinality(answers)),
  CONSTRAINT polls_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
) WITH (fillfactor=70);
CREATE INDEX polls_asked ON polls USING btree (asked_at);
CREATE INDEX polls_channel ON polls USING btree (channel_id, id);
CREATE INDEX polls_closed ON polls USING btree (closed_at);
CREATE UNIQUE INDEX polls_open ON polls USING btree (channel_id) WHERE closed_at IS NULL;

CREATE TABLE profiles (
  user_id uuid NOT NULL,
  handle text,
  registered_at timestamp(3) with time zone,
  version bigint NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  attempts_since timestamp(3) with time zone,
  like_attempts integer NOT NULL DEFAULT 0,
  like_attempts_since timestamp(3) with time zone,
  shows_requests boolean NOT NULL DEFAULT true,
  reminder_attempts integer NOT NULL DEFAULT 0,
  reminder_attempts_since timestamp(3) with time zone,
  poll_attempts integer NOT NULL DEFAULT 0,
  poll_attempts_since timestamp(3) with time zone,
  CONSTRAINT profiles_pkey PRIMARY KEY (user_id)
);

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

CREATE TABLE push_deliveries (
  id uuid NOT NULL,
  subscription_id uuid NOT NULL,
  start_id uuid NOT NULL,
  payload jsonb NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp(3) with time zone NOT NULL,
  expires_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT push_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT push_deliveries_subscription_id_fkey FOREIGN KEY (subscription_id) REFERENCES push_subscriptions(id) ON DELETE CASCADE
);
CREATE INDEX push_deliveries_due ON push_deliveries USING btree (next_attempt_at);
CREATE INDEX push_deliveries_subscription ON push_deliveries USING btree (subscription_id);

CREATE TABLE push_subscriptions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  endpoint text NOT NULL,
  host text NOT NULL,
  p256dh text NOT NULL,
  auth text NOT NULL,
  is_declarative boolean NOT NULL,
  device_name text,
  created_at timestamp(3) with time zone NOT NULL,
  last_used_at timestamp(3) with time zone,
  session_id uuid,
  CONSTRAINT push_subscriptions_pkey PRIMARY KEY (id),
  CONSTRAINT push_subscriptions_endpoint_key UNIQUE (endpoint)
);
CREATE INDEX push_subscriptions_session ON push_subscriptions USING btree (session_id);
CREATE INDEX push_subscriptions_user ON push_subscriptions USING btree (user_id, id);

CREATE TABLE queue_bodies (
  channel_id text NOT NULL,
  sequence bigint NOT NULL,
  body bytea NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT queue_bodies_pkey PRIMARY KEY (channel_id, sequence),
  CONSTRAINT queue_bodies_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);
CREATE INDEX queue_bodies_created ON queue_bodies USING btree (created_at);

CREATE TABLE queue_changes (
  channel_id text NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  CONSTRAINT queue_changes_pkey PRIMARY KEY (channel_id, id),
  CONSTRAINT queue_changes_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);

CREATE TABLE reactions (
  channel_id text NOT NULL,
  airing_id text NOT NULL,
  gateway text NOT NULL,
  counts jsonb NOT NULL,
  total integer NOT NULL,
  began_at timestamp(3) with time zone NOT NULL,
  pace jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT reactions_pkey PRIMARY KEY (channel_id, airing_id, gateway)
) WITH (fillfactor=70);
CREATE INDEX reactions_began ON reactions USING btree (began_at);
CREATE INDEX reactions_entry ON reactions USING btree (channel_id, split_part(airing_id, '.'::text, 2));

CREATE TABLE receipts (
  request_id uuid NOT NULL,
  body bytea NOT NULL,
  digest text NOT NULL,
  decided_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT receipts_pkey PRIMARY KEY (request_id),
  CONSTRAINT receipts_request_id_fkey FOREIGN KEY (request_id) REFERENCES requests(id) ON DELETE CASCADE
);

CREATE TABLE reminder_channels (
  channel_id text NOT NULL,
  name text NOT NULL,
  known_version bigint NOT NULL DEFAULT 0,
  wanted_version bigint NOT NULL DEFAULT 0,
  refresh_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT reminder_channels_pkey PRIMARY KEY (channel_id)
);
CREATE INDEX reminder_channels_refresh ON reminder_channels USING btree (refresh_at);

CREATE TABLE reminder_settings (
  user_id uuid NOT NULL,
  mail boolean NOT NULL DEFAULT true,
  quiet_hours jsonb,
  CONSTRAINT reminder_settings_pkey PRIMARY KEY (user_id)
);

CREATE TABLE reminder_starts (
  id uuid NOT NULL,
  reminder_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  title text NOT NULL,
  programme_id text,
  video_id uuid,
  phase text,
  due_at timestamp(3) with time zone,
  sent text[] NOT NULL DEFAULT '{}'::text[],
  CONSTRAINT reminder_starts_pkey PRIMARY KEY (id),
  CONSTRAINT reminder_starts_check CHECK ((phase IS NULL) = (due_at IS NULL)),
  CONSTRAINT reminder_starts_phase_check CHECK (phase = ANY (ARRAY['before'::text, 'start'::text, 'removed'::text])),
  CONSTRAINT reminder_starts_reminder_id_fkey FOREIGN KEY (reminder_id) REFERENCES reminders(id) ON DELETE CASCADE
);
CREATE INDEX reminder_starts_due ON reminder_starts USING btree (due_at) WHERE due_at IS NOT NULL;
CREATE INDEX reminder_starts_reminder ON reminder_starts USING btree (reminder_id);
CREATE INDEX reminder_starts_time ON reminder_starts USING btree (starts_at);

CREATE TABLE reminders (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  channel_id text NOT NULL,
  kind text NOT NULL,
  ref text NOT NULL,
  title text NOT NULL,
  video_id uuid,
  minutes_before integer NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT reminders_pkey PRIMARY KEY (id),
  CONSTRAINT reminders_user_id_channel_id_kind_ref_key UNIQUE (user_id, channel_id, kind, ref),
  CONSTRAINT reminders_kind_check CHECK (kind = ANY (ARRAY['programme'::text, 'block'::text, 'special'::text, 'artist'::text]))
);
CREATE INDEX reminders_channel ON reminders USING btree (channel_id, id);

CREATE TABLE requests (
  id uuid NOT NULL,
  channel_id text NOT NULL,
  user_id uuid,
  video_id uuid NOT NULL,
  title text NOT NULL,
  artist_name text NOT NULL,
  thumbnail_url text,
  duration_ms integer NOT NULL,
  requested_at timestamp(3) with time zone NOT NULL,
  state text NOT NULL DEFAULT 'waiting'::text,
  pinned_at timestamp(3) with time zone,
  reason text,
  finished_at timestamp(3) with time zone,
  rank integer NOT NULL DEFAULT 2147483647,
  video_version bigint NOT NULL DEFAULT 0,
  planned_at timestamp(3) with time zone,
  blocked_rule text,
  blocked_until timestamp(3) with time zone,
  aired_at timestamp(3) with time zone,
  airing_id text,
  currency text,
  ended_by_staff boolean NOT NULL DEFAULT false,
  moved_from timestamp(3) with time zone,
  CONSTRAINT requests_pkey PRIMARY KEY (id),
  CONSTRAINT requests_check CHECK ((state = 'waiting'::text) = (finished_at IS NULL)),
  CONSTRAINT requests_duration_ms_check CHECK (duration_ms > 0),
  CONSTRAINT requests_reason_check CHECK (char_length(reason) <= 200),
  CONSTRAINT requests_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'aired'::text, 'refused'::text, 'withdrawn'::text])),
  CONSTRAINT requests_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);
CREATE INDEX requests_aired ON requests USING btree (channel_id, aired_at, id) WHERE aired_at IS NOT NULL;
CREATE UNIQUE INDEX requests_airing ON requests USING btree (channel_id, airing_id) WHERE airing_id IS NOT NULL;
CREATE INDEX requests_channel ON requests USING btree (channel_id);
CREATE INDEX requests_finished ON requests USING btree (finished_at) WHERE finished_at IS NOT NULL;
CREATE INDEX requests_listed ON requests USING btree (channel_id, COALESCE(planned_at, 'infinity'::timestamp with time zone), COALESCE(pinned_at, 'infinity'::timestamp with time zone), rank, id) WHERE state = 'waiting'::text;
CREATE INDEX requests_made ON requests USING btree (channel_id, requested_at);
CREATE UNIQUE INDEX requests_once ON requests USING btree (channel_id, user_id, video_id) WHERE state = 'waiting'::text;
CREATE INDEX requests_turns ON requests USING btree (channel_id, aired_at) WHERE currency = 'turn'::text;
CREATE INDEX requests_user ON requests USING btree (user_id, id) WHERE user_id IS NOT NULL;
CREATE INDEX requests_video ON requests USING btree (video_id, id) WHERE state = 'waiting'::text;

CREATE TABLE restricted_users (
  restriction_id uuid NOT NULL,
  user_id uuid NOT NULL,
  expires_at timestamp(3) with time zone,
  restriction_type text NOT NULL DEFAULT 'restricted'::text,
  CONSTRAINT restricted_users_pkey PRIMARY KEY (restriction_id)
);
CREATE INDEX restricted_users_expires_at ON restricted_users USING btree (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX restricted_users_user ON restricted_users USING btree (user_id);

CREATE TABLE turn_accounts (
  channel_id text NOT NULL,
  user_id uuid NOT NULL,
  load_ms bigint NOT NULL,
  is_waiting boolean NOT NULL,
  CONSTRAINT turn_accounts_pkey PRIMARY KEY (channel_id, user_id),
  CONSTRAINT turn_accounts_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);
CREATE INDEX turn_accounts_user ON turn_accounts USING btree (user_id, channel_id);

CREATE TABLE vote_changes (
  request_id uuid NOT NULL,
  id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  CONSTRAINT vote_changes_pkey PRIMARY KEY (request_id, id),
  CONSTRAINT vote_changes_request_id_fkey FOREIGN KEY (request_id) REFERENCES requests(id) ON DELETE CASCADE
);

CREATE TABLE vote_loads (
  channel_id text NOT NULL,
  user_id uuid NOT NULL,
  load bigint NOT NULL,
  CONSTRAINT vote_loads_pkey PRIMARY KEY (channel_id, user_id),
  CONSTRAINT vote_loads_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
);
CREATE INDEX vote_loads_user ON vote_loads USING btree (user_id, channel_id);

CREATE TABLE votes (
  request_id uuid NOT NULL,
  user_id uuid NOT NULL,
  voted_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT votes_pkey PRIMARY KEY (request_id, user_id),
  CONSTRAINT votes_request_id_fkey FOREIGN KEY (request_id) REFERENCES requests(id) ON DELETE CASCADE
);
CREATE INDEX votes_user ON votes USING btree (user_id, request_id);

CREATE TABLE watch_hours (
  user_id uuid NOT NULL,
  starts_at timestamp(3) with time zone NOT NULL,
  watched_ms integer NOT NULL,
  seen_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT watch_hours_pkey PRIMARY KEY (user_id, starts_at)
) WITH (fillfactor=70);
CREATE INDEX watch_hours_starts_at ON watch_hours USING btree (starts_at);

CREATE OR REPLACE FUNCTION audience.outbox_wake()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('outbox_' || tg_table_schema, '');
  return null;
end $function$;
