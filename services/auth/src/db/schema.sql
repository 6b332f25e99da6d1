-- The schema after all migrations, for reading. Written by `pnpm schema:dump`; migrations change it.

CREATE TABLE account_networks (
  user_id uuid NOT NULL,
  network_digest bytea NOT NULL,
  last_used_at timestamp with time zone NOT NULL,
  wrong_codes integer NOT NULL DEFAULT 0,
  wrong_codes_since timestamp with time zone,
  CONSTRAINT account_networks_pkey PRIMARY KEY (user_id, network_digest),
  CONSTRAINT account_networks_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX account_networks_last_used_at ON account_networks USING btree (last_used_at);

CREATE TABLE auth_codes (
  code_digest bytea NOT NULL,
  user_id uuid NOT NULL,
  method text NOT NULL,
  code_challenge text NOT NULL,
  code_challenge_method text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT auth_codes_pkey PRIMARY KEY (code_digest),
  CONSTRAINT auth_codes_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX auth_codes_created_at ON auth_codes USING btree (created_at);
CREATE INDEX auth_codes_user ON auth_codes USING btree (user_id);

CREATE TABLE avatars (
  user_id uuid NOT NULL,
  version text NOT NULL,
  content_type text NOT NULL,
  bytes bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT avatars_pkey PRIMARY KEY (user_id),
  CONSTRAINT avatars_content_type_check CHECK (content_type = ANY (ARRAY['image/jpeg'::text, 'image/png'::text, 'image/webp'::text])),
  CONSTRAINT avatars_user_id_fkey FOREIGN KEY (user_id) REFERENCES profiles(user_id) ON DELETE CASCADE
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

CREATE TABLE device_grants (
  device_code_digest bytea NOT NULL,
  user_code_digest bytea NOT NULL,
  name text NOT NULL,
  network text,
  state text NOT NULL,
  user_id uuid,
  session_id uuid,
  polled_at timestamp with time zone,
  interval_s integer NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT device_grants_pkey PRIMARY KEY (device_code_digest),
  CONSTRAINT device_grants_user_code_digest_key UNIQUE (user_code_digest),
  CONSTRAINT device_grants_check CHECK (state <> 'allowed'::text OR user_id IS NOT NULL AND session_id IS NOT NULL),
  CONSTRAINT device_grants_name_check CHECK (length(name) >= 1 AND length(name) <= 100),
  CONSTRAINT device_grants_state_check CHECK (state = ANY (ARRAY['waiting'::text, 'allowed'::text, 'denied'::text, 'used'::text])),
  CONSTRAINT device_grants_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX device_grants_expires_at ON device_grants USING btree (expires_at);
CREATE INDEX device_grants_user ON device_grants USING btree (user_id);

CREATE TABLE earlier_tokens (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  slot text NOT NULL,
  email text NOT NULL,
  token_digest bytea NOT NULL,
  code_digest bytea NOT NULL,
  code_challenge text,
  code_challenge_method text,
  password_hash text,
  user_metadata jsonb,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  sign_up_client bytea,
  is_trusted boolean NOT NULL DEFAULT false,
  CONSTRAINT earlier_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT earlier_tokens_token_digest_key UNIQUE (token_digest),
  CONSTRAINT earlier_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX earlier_tokens_email ON earlier_tokens USING btree (email);
CREATE INDEX earlier_tokens_expires_at ON earlier_tokens USING btree (expires_at);
CREATE INDEX earlier_tokens_user ON earlier_tokens USING btree (user_id, slot, created_at);

CREATE TABLE factor_challenges (
  id uuid NOT NULL,
  factor_id uuid NOT NULL,
  network text,
  created_at timestamp with time zone NOT NULL,
  CONSTRAINT factor_challenges_pkey PRIMARY KEY (id),
  CONSTRAINT factor_challenges_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES factors(id) ON DELETE CASCADE
);
CREATE INDEX factor_challenges_created ON factor_challenges USING btree (created_at);
CREATE INDEX factor_challenges_factor ON factor_challenges USING btree (factor_id, created_at);

CREATE TABLE factors (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  factor_type text NOT NULL,
  friendly_name text NOT NULL,
  status text NOT NULL,
  sealed_secret bytea,
  last_step bigint NOT NULL DEFAULT 0,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  last_challenged_at timestamp with time zone,
  CONSTRAINT factors_pkey PRIMARY KEY (id),
  CONSTRAINT factors_check CHECK (factor_type <> 'totp'::text OR sealed_secret IS NOT NULL),
  CONSTRAINT factors_factor_type_check CHECK (factor_type = ANY (ARRAY['totp'::text, 'webauthn'::text, 'recovery_code'::text])),
  CONSTRAINT factors_status_check CHECK (status = ANY (ARRAY['unverified'::text, 'verified'::text])),
  CONSTRAINT factors_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX factors_name ON factors USING btree (user_id, friendly_name);
CREATE UNIQUE INDEX factors_one_recovery ON factors USING btree (user_id) WHERE factor_type = 'recovery_code'::text;
CREATE INDEX factors_unverified ON factors USING btree (created_at) WHERE status = 'unverified'::text;

CREATE TABLE first_start_steps (
  step text NOT NULL,
  done_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT first_start_steps_pkey PRIMARY KEY (step)
);

CREATE TABLE identities (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  provider text NOT NULL,
  issuer text NOT NULL,
  subject text NOT NULL,
  email text,
  created_at timestamp with time zone NOT NULL,
  last_sign_in_at timestamp with time zone,
  CONSTRAINT identities_pkey PRIMARY KEY (id),
  CONSTRAINT identities_issuer_subject_key UNIQUE (issuer, subject),
  CONSTRAINT identities_user_id_provider_key UNIQUE (user_id, provider),
  CONSTRAINT identities_subject_check CHECK (length(subject) >= 1 AND length(subject) <= 255),
  CONSTRAINT identities_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);

CREATE TABLE inbox (
  consumer text NOT NULL,
  event_id uuid NOT NULL,
  received_at timestamp with time zone NOT NULL DEFAULT now(),
  CONSTRAINT inbox_pkey PRIMARY KEY (consumer, event_id)
);
CREATE INDEX inbox_received_at ON inbox USING btree (received_at);

CREATE TABLE kept_restrictions (
  address_digest bytea NOT NULL,
  restriction_type text NOT NULL,
  reason text NOT NULL,
  created_by uuid,
  created_by_role text,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  kept_until timestamp with time zone NOT NULL,
  CONSTRAINT kept_restrictions_pkey PRIMARY KEY (address_digest, restriction_type),
  CONSTRAINT kept_restrictions_created_by_role_check CHECK (created_by_role = ANY (ARRAY['user'::text, 'programmer'::text, 'curator'::text, 'moderator'::text, 'admin'::text])),
  CONSTRAINT kept_restrictions_restriction_type_check CHECK (restriction_type = ANY (ARRAY['chat_banned'::text, 'site_banned'::text, 'restricted'::text]))
);
CREATE INDEX kept_restrictions_kept_until ON kept_restrictions USING btree (kept_until);

CREATE TABLE leases (
  name text NOT NULL,
  holder uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT leases_pkey PRIMARY KEY (name)
);

CREATE TABLE mail_outbox (
  id bigint NOT NULL DEFAULT nextval('mail_outbox_id_seq'::regclass),
  user_id uuid,
  slot text,
  sealed bytea NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  next_attempt_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT mail_outbox_pkey PRIMARY KEY (id),
  CONSTRAINT mail_outbox_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX mail_outbox_expires_at ON mail_outbox USING btree (expires_at);
CREATE INDEX mail_outbox_next_attempt_at ON mail_outbox USING btree (next_attempt_at);
CREATE INDEX mail_outbox_user ON mail_outbox USING btree (user_id, slot);

CREATE TABLE mail_throttle (
  address_digest bytea NOT NULL,
  slot text NOT NULL,
  asked_at timestamp with time zone NOT NULL,
  streak integer NOT NULL DEFAULT 1,
  CONSTRAINT mail_throttle_pkey PRIMARY KEY (address_digest, slot)
);
CREATE INDEX mail_throttle_asked_at ON mail_throttle USING btree (asked_at);

CREATE TABLE one_time_tokens (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  slot text NOT NULL,
  email text NOT NULL,
  token_digest bytea NOT NULL,
  code_digest bytea NOT NULL,
  code_challenge text,
  code_challenge_method text,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  password_hash text,
  user_metadata jsonb,
  sign_up_client bytea,
  is_trusted boolean NOT NULL DEFAULT false,
  CONSTRAINT one_time_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT one_time_tokens_token_digest_key UNIQUE (token_digest),
  CONSTRAINT one_time_tokens_user_id_slot_key UNIQUE (user_id, slot),
  CONSTRAINT one_time_tokens_code_challenge_method_check CHECK (code_challenge_method = ANY (ARRAY['s256'::text, 'plain'::text])),
  CONSTRAINT one_time_tokens_slot_check CHECK (slot = ANY (ARRAY['confirmation'::text, 'recovery'::text, 'email_change_current'::text, 'email_change_new'::text])),
  CONSTRAINT one_time_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX one_time_tokens_email ON one_time_tokens USING btree (email);
CREATE INDEX one_time_tokens_expires_at ON one_time_tokens USING btree (expires_at);

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

CREATE TABLE outdated_sessions (
  id uuid NOT NULL,
  min_generation integer NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT outdated_sessions_pkey PRIMARY KEY (id)
);
CREATE INDEX outdated_sessions_until ON outdated_sessions USING btree (until);

CREATE TABLE passkeys (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  name text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  CONSTRAINT passkeys_pkey PRIMARY KEY (id),
  CONSTRAINT passkeys_credential_id_key UNIQUE (credential_id),
  CONSTRAINT passkeys_counter_check CHECK (counter >= 0),
  CONSTRAINT passkeys_credential_id_check CHECK (length(credential_id) >= 1 AND length(credential_id) <= 1023),
  CONSTRAINT passkeys_name_check CHECK (length(name) >= 1 AND length(name) <= 120),
  CONSTRAINT passkeys_public_key_check CHECK (length(public_key) <= 4096),
  CONSTRAINT passkeys_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX passkeys_user ON passkeys USING btree (user_id);

CREATE TABLE personal_tokens (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  token_digest bytea NOT NULL,
  name text NOT NULL,
  scopes text[] NOT NULL,
  has_factor boolean NOT NULL,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  last_used_at timestamp with time zone,
  session_id uuid,
  generation integer NOT NULL DEFAULT 0,
  CONSTRAINT personal_tokens_pkey PRIMARY KEY (id),
  CONSTRAINT personal_tokens_token_digest_key UNIQUE (token_digest),
  CONSTRAINT personal_tokens_name_check CHECK (length(name) >= 1 AND length(name) <= 120),
  CONSTRAINT personal_tokens_token_digest_check CHECK (length(token_digest) = 32),
  CONSTRAINT personal_tokens_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX personal_tokens_expires_at ON personal_tokens USING btree (expires_at);
CREATE INDEX personal_tokens_user ON personal_tokens USING btree (user_id);

CREATE TABLE profiles (
  user_id uuid NOT NULL,
  handle text NOT NULL,
  handle_key text GENERATED ALWAYS AS (lower(handle)) STORED,
  search_key text GENERATED ALWAYS AS (lower(((handle || ' '::text) || COALESCE(artist_name, ''::text)))) STORED,
  artist_name text,
  avatar_url text,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  handle_skeleton text,
  CONSTRAINT profiles_pkey PRIMARY KEY (user_id),
  CONSTRAINT profiles_handle_key_key UNIQUE (handle_key),
  CONSTRAINT profiles_handle_check CHECK (handle ~ '^[A-Za-z0-9_]{3,30}$'::text),
  CONSTRAINT profiles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE UNIQUE INDEX profiles_handle_skeleton ON profiles USING btree (handle_skeleton);
CREATE INDEX profiles_search ON profiles USING gin (search_key gin_trgm_ops);

CREATE TABLE provider_flows (
  digest bytea NOT NULL,
  step text NOT NULL,
  provider text NOT NULL,
  sealed bytea NOT NULL,
  code_challenge text NOT NULL,
  code_challenge_method text NOT NULL,
  redirect_to text NOT NULL,
  session_id uuid,
  began_at timestamp with time zone NOT NULL,
  created_at timestamp with time zone NOT NULL,
  generation integer,
  CONSTRAINT provider_flows_pkey PRIMARY KEY (digest),
  CONSTRAINT provider_flows_step_check CHECK (step = ANY (ARRAY['callback'::text, 'exchange'::text]))
);
CREATE INDEX provider_flows_created_at ON provider_flows USING btree (created_at);

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

CREATE TABLE recovery_codes (
  factor_id uuid NOT NULL,
  code_digest bytea NOT NULL,
  used_at timestamp with time zone,
  CONSTRAINT recovery_codes_pkey PRIMARY KEY (factor_id, code_digest),
  CONSTRAINT recovery_codes_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES factors(id) ON DELETE CASCADE
);

CREATE TABLE revoked_keys (
  kid text NOT NULL,
  until timestamp with time zone NOT NULL,
  CONSTRAINT revoked_keys_pkey PRIMARY KEY (kid)
);
CREATE INDEX revoked_keys_until ON revoked_keys USING btree (until);

CREATE TABLE revoked_sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  reason text NOT NULL,
  until timestamp with time zone NOT NULL,
  revoked_at timestamp with time zone NOT NULL,
  CONSTRAINT revoked_sessions_pkey PRIMARY KEY (id)
);
CREATE INDEX revoked_sessions_revoked_at ON revoked_sessions USING btree (revoked_at);
CREATE INDEX revoked_sessions_until ON revoked_sessions USING btree (until);

CREATE TABLE secret_check (
  id boolean NOT NULL DEFAULT true,
  sealed bytea NOT NULL,
  CONSTRAINT secret_check_pkey PRIMARY KEY (id),
  CONSTRAINT secret_check_id_check CHECK (id)
);

CREATE TABLE security_keys (
  factor_id uuid NOT NULL,
  credential_id bytea NOT NULL,
  public_key bytea NOT NULL,
  counter bigint NOT NULL,
  transports text[] NOT NULL,
  CONSTRAINT security_keys_pkey PRIMARY KEY (factor_id),
  CONSTRAINT security_keys_credential_id_key UNIQUE (credential_id),
  CONSTRAINT security_keys_counter_check CHECK (counter >= 0),
  CONSTRAINT security_keys_credential_id_check CHECK (length(credential_id) >= 1 AND length(credential_id) <= 1023),
  CONSTRAINT security_keys_public_key_check CHECK (length(public_key) <= 4096),
  CONSTRAINT security_keys_factor_id_fkey FOREIGN KEY (factor_id) REFERENCES factors(id) ON DELETE CASCADE
);

CREATE TABLE sessions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  counter integer NOT NULL,
  token_salt bytea NOT NULL,
  method text NOT NULL,
  created_at timestamp with time zone NOT NULL,
  refreshed_at timestamp with time zone NOT NULL,
  user_agent text,
  ip text,
  recent_rotations jsonb NOT NULL DEFAULT '[]'::jsonb,
  arrived_counter integer NOT NULL DEFAULT 0,
  factor_id uuid,
  factor_method text,
  factor_verified_at timestamp with time zone,
  device_name text,
  CONSTRAINT sessions_pkey PRIMARY KEY (id),
  CONSTRAINT sessions_counter_check CHECK (counter >= 1),
  CONSTRAINT sessions_method_check CHECK (method = ANY (ARRAY['password'::text, 'otp'::text, 'passkey'::text, 'oauth'::text, 'anonymous'::text, 'device'::text])),
  CONSTRAINT sessions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sessions_refreshed_at ON sessions USING btree (refreshed_at);
CREATE INDEX sessions_user ON sessions USING btree (user_id, refreshed_at);

CREATE TABLE sign_ins (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  created_at timestamp with time zone NOT NULL,
  method text NOT NULL,
  succeeded boolean NOT NULL,
  device text,
  network text,
  CONSTRAINT sign_ins_pkey PRIMARY KEY (id),
  CONSTRAINT sign_ins_device_check CHECK (length(device) <= 100),
  CONSTRAINT sign_ins_method_check CHECK (length(method) >= 1 AND length(method) <= 20),
  CONSTRAINT sign_ins_network_check CHECK (length(network) <= 60),
  CONSTRAINT sign_ins_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX sign_ins_user ON sign_ins USING btree (user_id, id);

CREATE TABLE signing_keys (
  kid text NOT NULL,
  public_jwk jsonb NOT NULL,
  sealed_private_jwk bytea NOT NULL,
  created_at timestamp with time zone NOT NULL,
  signs_from timestamp with time zone NOT NULL,
  CONSTRAINT signing_keys_pkey PRIMARY KEY (kid),
  CONSTRAINT signing_keys_signs_from_key UNIQUE (signs_from)
);

CREATE TABLE spent_passkey_challenges (
  id uuid NOT NULL,
  expires_at timestamp with time zone NOT NULL,
  CONSTRAINT spent_passkey_challenges_pkey PRIMARY KEY (id)
);
CREATE INDEX spent_passkey_challenges_expires_at ON spent_passkey_challenges USING btree (expires_at);

CREATE TABLE user_restrictions (
  id uuid NOT NULL,
  user_id uuid NOT NULL,
  restriction_type text NOT NULL,
  reason text NOT NULL,
  created_by uuid,
  created_at timestamp with time zone NOT NULL,
  expires_at timestamp with time zone,
  created_by_role text,
  CONSTRAINT user_restrictions_pkey PRIMARY KEY (id),
  CONSTRAINT user_restrictions_user_id_restriction_type_key UNIQUE (user_id, restriction_type),
  CONSTRAINT user_restrictions_created_by_role_check CHECK (created_by_role = ANY (ARRAY['user'::text, 'programmer'::text, 'curator'::text, 'moderator'::text, 'admin'::text])),
  CONSTRAINT user_restrictions_restriction_type_check CHECK (restriction_type = ANY (ARRAY['chat_banned'::text, 'site_banned'::text, 'restricted'::text])),
  CONSTRAINT user_restrictions_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX user_restrictions_expires_at ON user_restrictions USING btree (expires_at) WHERE expires_at IS NOT NULL;

CREATE TABLE user_roles (
  user_id uuid NOT NULL,
  role text NOT NULL,
  granted_by uuid,
  updated_at timestamp with time zone NOT NULL,
  CONSTRAINT user_roles_pkey PRIMARY KEY (user_id),
  CONSTRAINT user_roles_role_check CHECK (role = ANY (ARRAY['user'::text, 'programmer'::text, 'curator'::text, 'moderator'::text, 'admin'::text])),
  CONSTRAINT user_roles_user_id_fkey FOREIGN KEY (user_id) REFERENCES users(id) ON DELETE CASCADE
);
CREATE INDEX user_roles_role ON user_roles USING btree (role);

CREATE TABLE users (
  id uuid NOT NULL,
  email text,
  password_hash text,
  email_confirmed_at timestamp with time zone,
  confirmation_sent_at timestamp with time zone,
  recovery_sent_at timestamp with time zone,
  last_sign_in_at timestamp with time zone,
  new_email text,
  email_change_sent_at timestamp with time zone,
  email_change_agreed text,
  user_metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  wrong_codes integer NOT NULL DEFAULT 0,
  wrong_codes_since timestamp with time zone,
  created_at timestamp with time zone NOT NULL,
  updated_at timestamp with time zone NOT NULL,
  contested boolean NOT NULL DEFAULT false,
  sign_up_client bytea,
  invited_at timestamp with time zone,
  reauthentication_digest bytea,
  reauthentication_sent_at timestamp with time zone,
  password_reset_required_at timestamp with time zone,
  anonymous_seen_at timestamp with time zone,
  app_metadata jsonb NOT NULL DEFAULT '{}'::jsonb,
  CONSTRAINT users_pkey PRIMARY KEY (id),
  CONSTRAINT users_email_key UNIQUE (email),
  CONSTRAINT users_anonymous_check CHECK ((email IS NULL) = (anonymous_seen_at IS NOT NULL)),
  CONSTRAINT users_email_change_agreed_check CHECK (email_change_agreed = ANY (ARRAY['current'::text, 'new'::text])),
  CONSTRAINT users_email_check CHECK (email = lower(email) AND length(email) <= 255),
  CONSTRAINT users_new_email_check CHECK (new_email = lower(new_email) AND length(new_email) <= 255)
);
CREATE INDEX users_anonymous ON users USING btree (anonymous_seen_at) WHERE email IS NULL;
CREATE INDEX users_awaiting_confirmation ON users USING btree (GREATEST(created_at, confirmation_sent_at)) WHERE email_confirmed_at IS NULL AND email IS NOT NULL;
CREATE INDEX users_email_prefix ON users USING btree (email text_pattern_ops);

CREATE OR REPLACE FUNCTION auth.outbox_wake()
 RETURNS trigger
 LANGUAGE plpgsql
AS $function$
begin
  perform pg_notify('outbox_' || tg_table_schema, '');
  return null;
end $function$;
