-- The tables of auth as migrations find them first. Later migrations change them; this file stays as it is.

create table if not exists users (
  id uuid primary key,
  -- Null for anonymous users.
  email text unique check (email = lower(email) and length(email) <= 255),
  password_hash text,
  email_confirmed_at timestamptz,
  confirmation_sent_at timestamptz,
  recovery_sent_at timestamptz,
  last_sign_in_at timestamptz,
  new_email text check (new_email = lower(new_email) and length(new_email) <= 255),
  email_change_sent_at timestamptz,
  email_change_agreed text check (email_change_agreed in ('current', 'new')),
  user_metadata jsonb not null default '{}',
  wrong_codes integer not null default 0,
  wrong_codes_since timestamptz,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  contested boolean not null default false,
  -- A keyed digest of the network and browser of an unconfirmed sign-up. The password of the sign-up is kept only if the
  -- confirmation comes from the same network and browser.
  sign_up_client bytea,
  -- When the account was last invited by the service key.
  invited_at timestamptz,
  -- The mailed code that replaces the current password at a change of the password.
  reauthentication_digest bytea,
  reauthentication_sent_at timestamptz,
  -- When an admin demanded a new password. Until it is set, the stored one does not sign in.
  password_reset_required_at timestamptz,
  -- When an anonymous user last used a session, to a day.
  anonymous_seen_at timestamptz,
  -- The free keys of `app_metadata`, which the service key sets.
  app_metadata jsonb not null default '{}',
  constraint users_anonymous_check check ((email is null) = (anonymous_seen_at is not null))
);
create index if not exists users_email_prefix on users (email text_pattern_ops);
-- Users whom housekeeping deletes: anonymous ones, and those who have not confirmed their email.
create index if not exists users_anonymous on users (anonymous_seen_at) where email is null;
create index if not exists users_awaiting_confirmation on users (greatest(created_at, confirmation_sent_at))
where email_confirmed_at is null and email is not null;

create table if not exists sessions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  counter integer not null check (counter >= 1),
  token_salt bytea not null,
  method text not null check (method in ('password', 'otp', 'passkey', 'oauth', 'anonymous')),
  created_at timestamptz not null,
  refreshed_at timestamptz not null,
  user_agent text,
  ip text,
  -- When refresh tokens were used within the reuse interval, and the highest one known to have arrived.
  recent_rotations jsonb not null default '[]',
  arrived_counter integer not null default 0,
  -- The second factor that the session was verified with. Null: none, the session has aal1.
  factor_id uuid,
  factor_method text,
  factor_verified_at timestamptz
);
create index if not exists sessions_user on sessions (user_id, refreshed_at);
create index if not exists sessions_refreshed_at on sessions (refreshed_at);

-- No reference to users: a revocation must outlive the account.
create table if not exists revoked_sessions (
  id uuid primary key,
  user_id uuid not null,
  reason text not null,
  until timestamptz not null,
  revoked_at timestamptz not null
);
create index if not exists revoked_sessions_until on revoked_sessions (until);
create index if not exists revoked_sessions_revoked_at on revoked_sessions (revoked_at);

-- Sessions whose older access tokens are refused.
create table if not exists outdated_sessions (
  id uuid primary key,
  min_generation integer not null,
  until timestamptz not null
);
create index if not exists outdated_sessions_until on outdated_sessions (until);

create table if not exists one_time_tokens (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  slot text not null check (slot in ('confirmation', 'recovery', 'email_change_current', 'email_change_new')),
  email text not null,
  token_digest bytea not null unique,
  code_digest bytea not null,
  code_challenge text,
  code_challenge_method text check (code_challenge_method in ('s256', 'plain')),
  created_at timestamptz not null,
  expires_at timestamptz not null,
  -- A mailed link carries the sign-up that requested it. Confirming adopts exactly that sign-up.
  password_hash text,
  user_metadata jsonb,
  sign_up_client bytea,
  -- Got by a trusted requester, so that strangers cannot use it up.
  is_trusted boolean not null default false,
  unique (user_id, slot)
);
create index if not exists one_time_tokens_email on one_time_tokens (email);
create index if not exists one_time_tokens_expires_at on one_time_tokens (expires_at);

-- One-time tokens that a newer token of the same slot replaced in one_time_tokens. They stay valid.
create table if not exists earlier_tokens (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  slot text not null,
  email text not null,
  token_digest bytea not null unique,
  code_digest bytea not null,
  code_challenge text,
  code_challenge_method text,
  password_hash text,
  user_metadata jsonb,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sign_up_client bytea,
  is_trusted boolean not null default false
);
create index if not exists earlier_tokens_user on earlier_tokens (user_id, slot, created_at);
create index if not exists earlier_tokens_email on earlier_tokens (email);
create index if not exists earlier_tokens_expires_at on earlier_tokens (expires_at);

create table if not exists auth_codes (
  code_digest bytea primary key,
  user_id uuid not null references users on delete cascade,
  method text not null,
  code_challenge text not null,
  code_challenge_method text not null,
  created_at timestamptz not null
);
create index if not exists auth_codes_created_at on auth_codes (created_at);
create index if not exists auth_codes_user on auth_codes (user_id);

create table if not exists mail_throttle (
  address_digest bytea not null,
  slot text not null,
  asked_at timestamptz not null,
  -- Number of mails requested for an email in a row, or on one day.
  streak integer not null default 1,
  primary key (address_digest, slot)
);
create index if not exists mail_throttle_asked_at on mail_throttle (asked_at);

create table if not exists mail_outbox (
  id bigserial primary key,
  user_id uuid references users on delete cascade,
  slot text,
  sealed bytea not null,
  attempts integer not null default 0,
  next_attempt_at timestamptz not null,
  expires_at timestamptz not null
);
create index if not exists mail_outbox_next_attempt_at on mail_outbox (next_attempt_at);
create index if not exists mail_outbox_user on mail_outbox (user_id, slot);
create index if not exists mail_outbox_expires_at on mail_outbox (expires_at);

create table if not exists signing_keys (
  kid text primary key,
  public_jwk jsonb not null,
  sealed_private_jwk bytea not null,
  created_at timestamptz not null,
  signs_from timestamptz not null unique
);

-- Revoked signing keys, for processes that missed the event.
create table if not exists revoked_keys (
  kid text primary key,
  until timestamptz not null
);
create index if not exists revoked_keys_until on revoked_keys (until);

-- A value that only the key secret of this database decrypts, so that a wrong secret is found without signing keys.
create table if not exists secret_check (
  id boolean primary key default true check (id),
  sealed bytea not null
);

-- Handles that look alike share a skeleton, which is unique. It is null for a handle that resembled an older one when
-- skeletons were introduced; its owner keeps it until they change it.
create table if not exists profiles (
  user_id uuid primary key references users on delete cascade,
  handle text not null check (handle ~ '^[A-Za-z0-9_]{3,30}$'),
  handle_key text collate "C" generated always as (lower(handle)) stored unique,
  search_key text generated always as (lower(handle || ' ' || coalesce(artist_name, ''))) stored,
  artist_name text,
  avatar_url text,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  handle_skeleton text collate "C"
);
create unique index if not exists profiles_handle_skeleton on profiles (handle_skeleton);
create index if not exists profiles_search on profiles using gin (search_key public.gin_trgm_ops);

create table if not exists avatars (
  user_id uuid primary key references profiles on delete cascade,
  version text not null,
  content_type text not null check (content_type in ('image/jpeg', 'image/png', 'image/webp')),
  bytes bytea not null,
  created_at timestamptz not null
);

create table if not exists user_roles (
  user_id uuid primary key references users on delete cascade,
  role text not null check (role in ('user', 'programmer', 'curator', 'moderator', 'admin')),
  granted_by uuid,
  updated_at timestamptz not null
);
create index if not exists user_roles_role on user_roles (role);

create table if not exists user_restrictions (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  restriction_type text not null check (restriction_type in ('chat_banned', 'site_banned', 'restricted')),
  reason text not null,
  created_by uuid,
  created_at timestamptz not null,
  expires_at timestamptz,
  created_by_role text check (created_by_role in ('user', 'programmer', 'curator', 'moderator', 'admin')),
  unique (user_id, restriction_type)
);
create index if not exists user_restrictions_expires_at on user_restrictions (expires_at)
where expires_at is not null;

-- Restrictions that outlive their accounts.
create table if not exists kept_restrictions (
  address_digest bytea not null,
  restriction_type text not null check (restriction_type in ('chat_banned', 'site_banned', 'restricted')),
  reason text not null,
  created_by uuid,
  created_by_role text check (created_by_role in ('user', 'programmer', 'curator', 'moderator', 'admin')),
  created_at timestamptz not null,
  expires_at timestamptz,
  kept_until timestamptz not null,
  primary key (address_digest, restriction_type)
);
create index if not exists kept_restrictions_kept_until on kept_restrictions (kept_until);

-- Networks that a user signed in from. An attack from another network does not limit sign-ins from these.
create table if not exists account_networks (
  user_id uuid not null references users on delete cascade,
  network_digest bytea not null,
  last_used_at timestamptz not null,
  wrong_codes integer not null default 0,
  wrong_codes_since timestamptz,
  primary key (user_id, network_digest)
);
create index if not exists account_networks_last_used_at on account_networks (last_used_at);

-- Second factors: TOTP, security keys and recovery codes.
create table if not exists factors (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  factor_type text not null check (factor_type in ('totp', 'webauthn', 'recovery_code')),
  friendly_name text not null,
  status text not null check (status in ('unverified', 'verified')),
  sealed_secret bytea,
  last_step bigint not null default 0,
  created_at timestamptz not null,
  updated_at timestamptz not null,
  last_challenged_at timestamptz,
  check (factor_type <> 'totp' or sealed_secret is not null)
);
create unique index if not exists factors_name on factors (user_id, friendly_name);
create unique index if not exists factors_one_recovery on factors (user_id) where factor_type = 'recovery_code';
create index if not exists factors_unverified on factors (created_at) where status = 'unverified';

create table if not exists factor_challenges (
  id uuid primary key,
  factor_id uuid not null references factors on delete cascade,
  network text,
  created_at timestamptz not null
);
create index if not exists factor_challenges_factor on factor_challenges (factor_id, created_at);
create index if not exists factor_challenges_created on factor_challenges (created_at);

create table if not exists recovery_codes (
  factor_id uuid not null references factors on delete cascade,
  code_digest bytea not null,
  used_at timestamptz,
  primary key (factor_id, code_digest)
);

-- WebAuthn credentials as second factors.
create table if not exists security_keys (
  factor_id uuid primary key references factors on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key bytea not null check (length(public_key) <= 4096),
  counter bigint not null check (counter >= 0),
  transports text[] not null
);

create table if not exists passkeys (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
  public_key bytea not null check (length(public_key) <= 4096),
  counter bigint not null check (counter >= 0),
  transports text[] not null,
  name text not null check (length(name) between 1 and 120),
  created_at timestamptz not null,
  last_used_at timestamptz
);
create index if not exists passkeys_user on passkeys (user_id);

create table if not exists spent_passkey_challenges (
  id uuid primary key,
  expires_at timestamptz not null
);
create index if not exists spent_passkey_challenges_expires_at on spent_passkey_challenges (expires_at);

-- Sign-ins of the last 90 days, as their user sees them.
create table if not exists sign_ins (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  created_at timestamptz not null,
  method text not null check (length(method) between 1 and 20),
  succeeded boolean not null,
  device text check (length(device) <= 100),
  network text check (length(network) <= 60)
);
create index if not exists sign_ins_user on sign_ins (user_id, id);

-- Identities at OpenID providers.
create table if not exists identities (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  provider text not null,
  issuer text not null,
  subject text not null check (length(subject) between 1 and 255),
  email text,
  created_at timestamptz not null,
  last_sign_in_at timestamptz,
  unique (issuer, subject),
  unique (user_id, provider)
);

-- Sign-ins at OpenID providers that are under way.
create table if not exists provider_flows (
  digest bytea primary key,
  step text not null check (step in ('callback', 'exchange')),
  provider text not null,
  sealed bytea not null,
  code_challenge text not null,
  code_challenge_method text not null,
  redirect_to text not null,
  session_id uuid,
  began_at timestamptz not null,
  created_at timestamptz not null,
  -- The generation of the access token that began to link an identity; null: a sign-in.
  generation integer
);
create index if not exists provider_flows_created_at on provider_flows (created_at);

create table if not exists personal_tokens (
  id uuid primary key,
  user_id uuid not null references users on delete cascade,
  token_digest bytea not null unique check (length(token_digest) = 32),
  name text not null check (length(name) between 1 and 120),
  scopes text[] not null,
  has_factor boolean not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  last_used_at timestamptz,
  -- The session that created the token.
  session_id uuid,
  generation integer not null default 0
);
create index if not exists personal_tokens_user on personal_tokens (user_id);
create index if not exists personal_tokens_expires_at on personal_tokens (expires_at);

-- Steps of the first start that are done (`beginFirstStep`).
create table if not exists first_start_steps (
  step text primary key,
  done_at timestamptz not null default now()
);
