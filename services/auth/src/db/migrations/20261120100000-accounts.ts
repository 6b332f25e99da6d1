import { type Kysely, sql } from 'kysely'

const statements = [
  `create table users (
    id uuid primary key,
    email text not null unique check (email = lower(email) and length(email) <= 255),
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
    updated_at timestamptz not null
  )`,
  `create index users_email_prefix on users (email text_pattern_ops)`,
  `create table sessions (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    counter integer not null check (counter >= 1),
    token_salt bytea not null,
    method text not null check (method in ('password', 'otp')),
    created_at timestamptz not null,
    refreshed_at timestamptz not null,
    user_agent text,
    ip text
  )`,
  `create index sessions_user on sessions (user_id, refreshed_at)`,
  `create index sessions_refreshed_at on sessions (refreshed_at)`,
  // No reference to users: a revocation must outlive the account.
  `create table revoked_sessions (
    id uuid primary key,
    user_id uuid not null,
    reason text not null,
    until timestamptz not null,
    revoked_at timestamptz not null
  )`,
  `create index revoked_sessions_until on revoked_sessions (until)`,
  `create index revoked_sessions_revoked_at on revoked_sessions (revoked_at)`,
  `create table one_time_tokens (
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
    unique (user_id, slot)
  )`,
  `create index one_time_tokens_email on one_time_tokens (email)`,
  `create index one_time_tokens_expires_at on one_time_tokens (expires_at)`,
  `create table auth_codes (
    code_digest bytea primary key,
    user_id uuid not null references users on delete cascade,
    method text not null,
    code_challenge text not null,
    code_challenge_method text not null,
    created_at timestamptz not null
  )`,
  `create index auth_codes_created_at on auth_codes (created_at)`,
  `create index auth_codes_user on auth_codes (user_id)`,
  `create table mail_throttle (
    address_digest bytea not null,
    slot text not null,
    asked_at timestamptz not null,
    primary key (address_digest, slot)
  )`,
  `create index mail_throttle_asked_at on mail_throttle (asked_at)`,
  `create table mail_outbox (
    id bigserial primary key,
    user_id uuid references users on delete cascade,
    slot text,
    sealed bytea not null,
    attempts integer not null default 0,
    next_attempt_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index mail_outbox_next_attempt_at on mail_outbox (next_attempt_at)`,
  `create index mail_outbox_user on mail_outbox (user_id, slot)`,
  `create index mail_outbox_expires_at on mail_outbox (expires_at)`,
  `create table signing_keys (
    kid text primary key,
    public_jwk jsonb not null,
    sealed_private_jwk bytea not null,
    created_at timestamptz not null,
    signs_from timestamptz not null unique
  )`,
  `create table profiles (
    user_id uuid primary key references users on delete cascade,
    handle text not null check (handle ~ '^[A-Za-z0-9_]{3,30}$'),
    handle_key text collate "C" generated always as (lower(handle)) stored unique,
    search_key text generated always as (lower(handle || ' ' || coalesce(artist_name, ''))) stored,
    artist_name text,
    avatar_url text,
    created_at timestamptz not null,
    updated_at timestamptz not null
  )`,
  `create index profiles_search on profiles using gin (search_key public.gin_trgm_ops)`,
  `create table user_roles (
    user_id uuid primary key references users on delete cascade,
    role text not null check (role in ('user', 'moderator', 'admin')),
    granted_by uuid,
    updated_at timestamptz not null
  )`,
  `create index user_roles_role on user_roles (role)`,
  `create table user_restrictions (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    restriction_type text not null check (restriction_type in ('chat_banned', 'site_banned', 'restricted')),
    reason text not null,
    created_by uuid,
    created_at timestamptz not null,
    expires_at timestamptz,
    unique (user_id, restriction_type)
  )`,
  `create index user_restrictions_expires_at on user_restrictions (expires_at) where expires_at is not null`,
]

/** Accounts: users, sessions, mailed tokens, keys, profiles, roles, restrictions. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
