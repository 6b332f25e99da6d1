-- The schema after all migrations, for reading. Written by `pnpm schema:dump`; migrations change it.

CREATE TABLE channels (
  id text NOT NULL,
  last_seq bigint NOT NULL DEFAULT 0,
  slow_mode_s integer NOT NULL DEFAULT 0,
  is_deleted boolean NOT NULL DEFAULT false,
  version bigint NOT NULL,
  CONSTRAINT channels_pkey PRIMARY KEY (id),
  CONSTRAINT channels_slow_mode_s_check CHECK (slow_mode_s >= 0 AND slow_mode_s <= 3600)
) WITH (fillfactor=50);

CREATE TABLE chatters (
  channel_id text NOT NULL,
  user_id uuid NOT NULL,
  tokens double precision NOT NULL,
  posted_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT chatters_pkey PRIMARY KEY (channel_id, user_id),
  CONSTRAINT chatters_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id) ON DELETE CASCADE
) WITH (fillfactor=70);

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

CREATE TABLE held_messages (
  id uuid NOT NULL,
  channel_id text NOT NULL,
  user_id uuid NOT NULL,
  client_id uuid NOT NULL,
  message text NOT NULL,
  reason text NOT NULL,
  state text NOT NULL,
  held_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT held_messages_pkey PRIMARY KEY (id),
  CONSTRAINT held_messages_channel_id_user_id_client_id_key UNIQUE (channel_id, user_id, client_id),
  CONSTRAINT held_messages_message_check CHECK (char_length(message) >= 1 AND char_length(message) <= 500),
  CONSTRAINT held_messages_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id)
);
CREATE INDEX held_messages_channel ON held_messages USING btree (channel_id, user_id) WHERE state = 'waiting'::text;
CREATE INDEX held_messages_user ON held_messages USING btree (user_id);
CREATE INDEX held_messages_waiting ON held_messages USING btree (id) WHERE state = 'waiting'::text;

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

CREATE TABLE live_chat_messages (
  id uuid NOT NULL,
  channel_id text NOT NULL,
  seq bigint NOT NULL,
  user_id uuid NOT NULL,
  client_id uuid NOT NULL,
  message text NOT NULL,
  created_at timestamp(3) with time zone NOT NULL,
  is_deleted boolean NOT NULL DEFAULT false,
  removed_at timestamp(3) with time zone,
  removed_by uuid,
  poll jsonb,
  CONSTRAINT live_chat_messages_pkey PRIMARY KEY (id),
  CONSTRAINT live_chat_messages_channel_id_seq_key UNIQUE (channel_id, seq),
  CONSTRAINT live_chat_messages_channel_id_user_id_client_id_key UNIQUE (channel_id, user_id, client_id),
  CONSTRAINT live_chat_messages_message_check CHECK (char_length(message) >= 1 AND char_length(message) <= 500),
  CONSTRAINT live_chat_messages_channel_id_fkey FOREIGN KEY (channel_id) REFERENCES channels(id)
);
CREATE INDEX live_chat_messages_removed ON live_chat_messages USING btree (channel_id, removed_at DESC) WHERE is_deleted;
CREATE INDEX live_chat_messages_time ON live_chat_messages USING btree (channel_id, created_at, seq);
CREATE INDEX live_chat_messages_user ON live_chat_messages USING btree (user_id, id);

CREATE TABLE message_reports (
  case_id uuid NOT NULL,
  reporter_user_id uuid NOT NULL,
  reason text NOT NULL,
  text text,
  reported_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT message_reports_pkey PRIMARY KEY (case_id, reporter_user_id),
  CONSTRAINT message_reports_case_id_fkey FOREIGN KEY (case_id) REFERENCES report_cases(id) ON DELETE CASCADE
);
CREATE INDEX message_reports_reporter ON message_reports USING btree (reporter_user_id, case_id);

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

CREATE TABLE profiles (
  user_id uuid NOT NULL,
  handle text,
  artist_name text,
  version bigint NOT NULL,
  registered_at timestamp(3) with time zone,
  is_established boolean NOT NULL DEFAULT false,
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

CREATE TABLE report_cases (
  id uuid NOT NULL,
  channel_id text NOT NULL,
  message_id uuid NOT NULL,
  seq bigint NOT NULL,
  author_user_id uuid NOT NULL,
  message text NOT NULL,
  posted_at timestamp(3) with time zone NOT NULL,
  opened_at timestamp(3) with time zone NOT NULL,
  state text NOT NULL,
  decision text,
  reason text,
  decided_at timestamp(3) with time zone,
  decided_by uuid,
  appeal text,
  appealed_at timestamp(3) with time zone,
  outcome text,
  outcome_by uuid,
  CONSTRAINT report_cases_pkey PRIMARY KEY (id),
  CONSTRAINT report_cases_message_id_key UNIQUE (message_id)
);
CREATE INDEX report_cases_author ON report_cases USING btree (author_user_id, id);
CREATE INDEX report_cases_done ON report_cases USING btree (id) WHERE state = ANY (ARRAY['decided'::text, 'closed'::text]);
CREATE INDEX report_cases_waiting ON report_cases USING btree (id) WHERE state = ANY (ARRAY['open'::text, 'appealed'::text]);

CREATE TABLE restrictions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  restriction_type text NOT NULL,
  expires_at timestamp with time zone,
  is_lifted boolean NOT NULL,
  CONSTRAINT restrictions_pkey PRIMARY KEY (id)
);
CREATE INDEX restrictions_in_force ON restrictions USING btree (user_id) WHERE NOT is_lifted;
CREATE INDEX restrictions_lifted ON restrictions USING btree (expires_at) WHERE is_lifted;

CREATE TABLE word_list (
  only_row boolean NOT NULL DEFAULT true,
  entries jsonb NOT NULL,
  version integer NOT NULL,
  CONSTRAINT word_list_pkey PRIMARY KEY (only_row),
  CONSTRAINT word_list_only_row_check CHECK (only_row)
);

CREATE OR REPLACE FUNCTION chat.outbox_wake()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('outbox_' || tg_table_schema, '');
  return null;
end $function$;
