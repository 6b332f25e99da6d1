-- The schema after all migrations, for reading. Written by `pnpm schema:dump`; migrations change it.

CREATE TABLE audit_chain (
  seq bigint NOT NULL,
  entry_id uuid,
  hash bytea NOT NULL,
  CONSTRAINT audit_chain_pkey PRIMARY KEY (seq),
  CONSTRAINT audit_chain_entry_id_key UNIQUE (entry_id)
);
GRANT SELECT ON audit_chain TO looptide_admin_audit;

CREATE TABLE audit_digests (
  seq bigint NOT NULL,
  salt bytea,
  digest bytea NOT NULL,
  CONSTRAINT audit_digests_pkey PRIMARY KEY (seq)
);
CREATE INDEX audit_digests_personal ON audit_digests USING btree (seq) WHERE salt IS NOT NULL;
GRANT SELECT ON audit_digests TO looptide_admin_audit;

CREATE TABLE audit_log (
  id uuid NOT NULL,
  admin_user_id uuid,
  action text NOT NULL,
  target_type text,
  target_id text,
  target_user_id uuid,
  details jsonb,
  before jsonb,
  after jsonb,
  correlation_id text,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT audit_log_pkey PRIMARY KEY (id)
);
CREATE INDEX audit_log_by_action ON audit_log USING btree (action, created_at DESC, id DESC);
CREATE INDEX audit_log_by_admin ON audit_log USING btree (admin_user_id, created_at DESC, id DESC);
CREATE INDEX audit_log_by_target_user ON audit_log USING btree (target_user_id, created_at DESC, id DESC) WHERE target_user_id IS NOT NULL;
CREATE INDEX audit_log_newest ON audit_log USING btree (created_at DESC, id DESC) INCLUDE (admin_user_id);
CREATE INDEX audit_log_security ON audit_log USING btree (created_at DESC, id DESC) WHERE starts_with(action, 'security_'::text);
CREATE TRIGGER audit_log_chain AFTER INSERT ON audit_log FOR EACH ROW EXECUTE FUNCTION audit_log_chain();
CREATE TRIGGER audit_log_is_append_only BEFORE DELETE OR UPDATE OR TRUNCATE ON audit_log FOR EACH STATEMENT EXECUTE FUNCTION audit_log_is_append_only();
GRANT INSERT, SELECT ON audit_log TO looptide_admin_audit;

CREATE TABLE audit_pseudonym_secret (
  secret bytea NOT NULL
);

CREATE TABLE audit_settings (
  only_row boolean NOT NULL DEFAULT true,
  pseudonymise_days integer NOT NULL,
  CONSTRAINT audit_settings_pkey PRIMARY KEY (only_row),
  CONSTRAINT audit_settings_only_row_check CHECK (only_row),
  CONSTRAINT audit_settings_pseudonymise_days_check CHECK (pseudonymise_days >= 0 AND pseudonymise_days <= 3650)
);
GRANT SELECT ON audit_settings TO looptide_admin_audit;

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
GRANT DELETE, INSERT, SELECT, UPDATE ON dead_letters TO looptide_admin_audit;

CREATE TABLE embed_settings (
  only_row boolean NOT NULL DEFAULT true,
  origins text[],
  version integer NOT NULL,
  CONSTRAINT embed_settings_pkey PRIMARY KEY (only_row),
  CONSTRAINT embed_settings_only_row_check CHECK (only_row)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON embed_settings TO looptide_admin_audit;

CREATE TABLE guard_grants (
  id bigint NOT NULL DEFAULT nextval('guard_grants_id_seq'::regclass),
  admin_user_id uuid NOT NULL,
  action text NOT NULL,
  target_user_id uuid,
  granted_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT guard_grants_pkey PRIMARY KEY (id)
);
CREATE INDEX guard_grants_by_admin ON guard_grants USING btree (admin_user_id, granted_at DESC);
CREATE INDEX guard_grants_by_time ON guard_grants USING btree (granted_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON guard_grants TO looptide_admin_audit;

CREATE TABLE inbox (
  consumer text NOT NULL,
  event_id uuid NOT NULL,
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_received_at ON inbox USING btree (received_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON inbox TO looptide_admin_audit;

CREATE TABLE leases (
  name text NOT NULL,
  holder uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT leases_pkey PRIMARY KEY (name)
);
GRANT DELETE, INSERT, SELECT, UPDATE ON leases TO looptide_admin_audit;

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
GRANT DELETE, INSERT, SELECT, UPDATE ON outbox TO looptide_admin_audit;

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
GRANT DELETE, INSERT, SELECT, UPDATE ON published_events TO looptide_admin_audit;

CREATE TABLE refused_attempts (
  user_id uuid NOT NULL,
  hour timestamp(0) with time zone NOT NULL,
  attempts integer NOT NULL,
  CONSTRAINT refused_attempts_pkey PRIMARY KEY (user_id, hour)
);
CREATE INDEX refused_attempts_by_hour ON refused_attempts USING btree (hour);
GRANT DELETE, INSERT, SELECT, UPDATE ON refused_attempts TO looptide_admin_audit;

CREATE TABLE refused_attempts_of_networks (
  network text NOT NULL,
  hour timestamp(0) with time zone NOT NULL,
  attempts integer NOT NULL,
  CONSTRAINT refused_attempts_of_networks_pkey PRIMARY KEY (network, hour)
);
CREATE INDEX refused_attempts_of_networks_by_hour ON refused_attempts_of_networks USING btree (hour);
GRANT DELETE, INSERT, SELECT, UPDATE ON refused_attempts_of_networks TO looptide_admin_audit;

CREATE TABLE removed_accounts (
  user_id uuid NOT NULL,
  deleted_at timestamp with time zone NOT NULL,
  CONSTRAINT removed_accounts_pkey PRIMARY KEY (user_id)
);
CREATE INDEX removed_accounts_deleted_at ON removed_accounts USING btree (deleted_at);
CREATE TRIGGER removed_accounts_note_time BEFORE INSERT OR UPDATE ON removed_accounts FOR EACH ROW EXECUTE FUNCTION removed_accounts_note_time();
GRANT DELETE, INSERT, SELECT, UPDATE ON removed_accounts TO looptide_admin_audit;

CREATE TABLE security_marks (
  key text NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT security_marks_pkey PRIMARY KEY (key)
);
CREATE INDEX security_marks_until ON security_marks USING btree (until);
GRANT DELETE, INSERT, SELECT, UPDATE ON security_marks TO looptide_admin_audit;

CREATE TABLE theme_assets (
  version text NOT NULL,
  content_type text NOT NULL,
  bytes bytea NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  is_kept boolean NOT NULL DEFAULT false,
  CONSTRAINT theme_assets_pkey PRIMARY KEY (version),
  CONSTRAINT theme_assets_content_type_check CHECK (content_type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text, 'image/webp'::text]))
);
CREATE INDEX theme_assets_by_age ON theme_assets USING btree (created_at);
GRANT DELETE, INSERT, SELECT, UPDATE ON theme_assets TO looptide_admin_audit;

CREATE TABLE theme_settings (
  id uuid NOT NULL,
  primary_color text NOT NULL,
  secondary_color text NOT NULL,
  accent_color text NOT NULL,
  background_color text NOT NULL,
  text_color text NOT NULL,
  font_family text NOT NULL,
  font_size integer NOT NULL,
  border_radius integer NOT NULL,
  logo_url text,
  hero_background_url text,
  is_active boolean NOT NULL,
  created_by uuid NOT NULL,
  created_at timestamp with time zone NOT NULL DEFAULT now(),
  card_station_name text NOT NULL DEFAULT ''::text,
  card_next_text text NOT NULL DEFAULT 'Coming up next'::text,
  card_previous_text text NOT NULL DEFAULT 'You just saw'::text,
  card_countdown_text text NOT NULL DEFAULT 'Starts in'::text,
  CONSTRAINT theme_settings_pkey PRIMARY KEY (id)
);
CREATE UNIQUE INDEX theme_settings_active ON theme_settings USING btree (is_active) WHERE is_active;
CREATE INDEX theme_settings_by_hero ON theme_settings USING btree (hero_background_url);
CREATE INDEX theme_settings_by_logo ON theme_settings USING btree (logo_url);
CREATE INDEX theme_settings_newest ON theme_settings USING btree (created_at DESC, id DESC);
GRANT DELETE, INSERT, SELECT, UPDATE ON theme_settings TO looptide_admin_audit;

CREATE TABLE webhook_deliveries (
  id uuid NOT NULL,
  seq bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
  webhook_id uuid NOT NULL,
  event_id uuid NOT NULL,
  kind text NOT NULL,
  channel_id text,
  lane text NOT NULL,
  payload jsonb NOT NULL,
  state text NOT NULL DEFAULT 'waiting'::text,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp(3) with time zone NOT NULL,
  attempted_at timestamp(3) with time zone,
  duration_ms integer,
  status integer,
  response text,
  error text,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT webhook_deliveries_pkey PRIMARY KEY (id),
  CONSTRAINT webhook_deliveries_kind_check CHECK (kind = ANY (ARRAY['event'::text, 'test'::text, 'resend'::text])),
  CONSTRAINT webhook_deliveries_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'delivered'::text, 'failed'::text])),
  CONSTRAINT webhook_deliveries_webhook_id_fkey FOREIGN KEY (webhook_id) REFERENCES webhooks(id) ON DELETE CASCADE
);
CREATE INDEX webhook_deliveries_created ON webhook_deliveries USING btree (created_at);
CREATE INDEX webhook_deliveries_newest ON webhook_deliveries USING btree (webhook_id, seq DESC);
CREATE INDEX webhook_deliveries_waiting ON webhook_deliveries USING btree (webhook_id, lane, seq) WHERE state = 'waiting'::text;
GRANT DELETE, INSERT, SELECT, UPDATE ON webhook_deliveries TO looptide_admin_audit;

CREATE TABLE webhooks (
  id uuid NOT NULL,
  url text NOT NULL,
  events text[] NOT NULL,
  channel_ids text[],
  format text NOT NULL,
  is_active boolean NOT NULL,
  secret text NOT NULL,
  signing_key text NOT NULL,
  previous_secret text,
  previous_signing_key text,
  previous_until timestamp(3) with time zone,
  failing_since timestamp(3) with time zone,
  disabled_reason text,
  disabled_at timestamp(3) with time zone,
  created_by uuid,
  created_at timestamp(3) with time zone NOT NULL,
  CONSTRAINT webhooks_pkey PRIMARY KEY (id),
  CONSTRAINT webhooks_disabled_reason_check CHECK (disabled_reason = ANY (ARRAY['failing'::text, 'gone'::text, 'backlog'::text])),
  CONSTRAINT webhooks_format_check CHECK (format = ANY (ARRAY['standard'::text, 'discord'::text, 'slack'::text]))
);
GRANT DELETE, INSERT, SELECT, UPDATE ON webhooks TO looptide_admin_audit;

CREATE OR REPLACE FUNCTION admin_audit.audit_add_digest(seq bigint, entry audit_log)
 RETURNS bytea
 LANGUAGE sql
 SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
AS $function$
  with salted as (select uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()) as salt)
  insert into audit_digests (seq, salt, digest)
  select seq, salt, sha256(salt || audit_personal_text(entry)) from salted returning digest
$function$;
REVOKE EXECUTE ON FUNCTION audit_add_digest(bigint,audit_log) FROM PUBLIC;

CREATE OR REPLACE FUNCTION admin_audit.audit_chain_append(entry audit_log)
 RETURNS void
 LANGUAGE plpgsql
 SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
AS $function$
declare
  head record;
  next_seq bigint;
begin
  -- Serialises appends: the row of entry 0 is the lock of the chain, which no other role can take.
  perform from audit_chain where seq = 0 for update;
  select seq, hash into head from audit_chain order by seq desc limit 1;
  next_seq := head.seq + 1;
  insert into audit_chain (seq, entry_id, hash) values (next_seq, entry.id, sha256(
    head.hash || audit_content(next_seq, entry, audit_add_digest(next_seq, entry))));
end $function$;
REVOKE EXECUTE ON FUNCTION audit_chain_append(audit_log) FROM PUBLIC;

CREATE OR REPLACE FUNCTION admin_audit.audit_content(seq bigint, entry audit_log, digest bytea)
 RETURNS bytea
 LANGUAGE sql
 STABLE
 SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
AS $function$
  select convert_to(jsonb_build_array(seq, entry.id, entry.action, entry.target_type,
    case when entry.target_type is distinct from 'user' then entry.target_id end,
    to_char(entry.created_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    encode(digest, 'hex'))::text, 'UTF8')
$function$;
REVOKE EXECUTE ON FUNCTION audit_content(bigint,audit_log,bytea) FROM PUBLIC;

CREATE OR REPLACE FUNCTION admin_audit.audit_log_chain()
 RETURNS trigger
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
AS $function$
begin
  perform audit_chain_append(new);
  return null;
end $function$;
REVOKE EXECUTE ON FUNCTION audit_log_chain() FROM PUBLIC;

CREATE OR REPLACE FUNCTION admin_audit.audit_log_is_append_only()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  -- Only audit_pseudonymise sets it, and only its role may change rows at all.
  if tg_op = 'UPDATE' and current_setting('admin_audit.pseudonymising', true) = 'on' then
    return null;
  end if;
  raise exception 'the audit log is append-only';
end $function$;

CREATE OR REPLACE FUNCTION admin_audit.audit_personal_text(entry audit_log)
 RETURNS bytea
 LANGUAGE sql
 STABLE
 SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
AS $function$
  select convert_to(jsonb_build_array(entry.admin_user_id,
    case when entry.target_type = 'user' then entry.target_id end,
    entry.target_user_id, entry.details, entry.before, entry.after, entry.correlation_id)::text, 'UTF8')
$function$;
REVOKE EXECUTE ON FUNCTION audit_personal_text(audit_log) FROM PUBLIC;

CREATE OR REPLACE FUNCTION admin_audit.audit_pseudonym(person uuid)
 RETURNS uuid
 LANGUAGE sql
 STABLE
 SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
AS $function$
  select encode(substr(sha256(secret || uuid_send(person)), 1, 16), 'hex')::uuid from audit_pseudonym_secret
$function$;
REVOKE EXECUTE ON FUNCTION audit_pseudonym(uuid) FROM PUBLIC;

CREATE OR REPLACE FUNCTION admin_audit.audit_pseudonymise(older_than timestamp with time zone, person uuid, step integer)
 RETURNS integer
 LANGUAGE plpgsql
 SECURITY DEFINER
 SET search_path TO 'admin_audit', 'pg_catalog', 'pg_temp'
AS $function$
declare
  days integer := (select pseudonymise_days from audit_settings);
  due timestamptz;
  links bigint[];
begin
  -- 0 turns it off.
  if coalesce(days, 0) = 0 then
    return 0;
  end if;
  if person is null then
    due := least(older_than, now() - make_interval(days => greatest(days, 30)));
    select array_agg(d.seq) into links
    from (select seq from audit_digests where salt is not null order by seq limit step for update skip locked) d
    join audit_chain c on c.seq = d.seq join audit_log l on l.id = c.entry_id
    where l.created_at < due;
  else
    if not exists (
      select from removed_accounts r where r.user_id = person and r.deleted_at <= now() - interval '30 days'
    ) then
      return 0;
    end if;
    due := least(older_than, now() - interval '30 days');
    select array_agg(found.seq) into links from (
      select d.seq from audit_log l
      join audit_chain c on c.entry_id = l.id join audit_digests d on d.seq = c.seq
      where (l.admin_user_id = person or l.target_user_id = person) and d.salt is not null and l.created_at < due
      limit step for update of d skip locked) found;
  end if;
  perform set_config('admin_audit.pseudonymising', 'on', true);
  update audit_log l set
    admin_user_id = audit_pseudonym(l.admin_user_id),
    target_user_id = audit_pseudonym(l.target_user_id),
    target_id = case when l.target_type = 'user' then audit_pseudonym(l.target_user_id)::text else l.target_id end,
    details = null, before = null, after = null, correlation_id = null
  from audit_chain c where c.entry_id = l.id and c.seq = any(links);
  perform set_config('admin_audit.pseudonymising', 'off', true);
  update audit_digests set salt = null where seq = any(links);
  return coalesce(cardinality(links), 0);
end $function$;
REVOKE EXECUTE ON FUNCTION audit_pseudonymise(timestamp with time zone,uuid,integer) FROM PUBLIC;

CREATE OR REPLACE FUNCTION admin_audit.outbox_wake()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('outbox_' || tg_table_schema, '');
  return null;
end $function$;

CREATE OR REPLACE FUNCTION admin_audit.removed_accounts_note_time()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  new.deleted_at := greatest(new.deleted_at, now());
  return new;
end $function$;
