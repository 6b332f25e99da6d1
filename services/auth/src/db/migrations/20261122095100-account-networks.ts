import { type Kysely, sql } from 'kysely'

const statements = [
  // Networks that a user signed in from. An attack from another network does not limit sign-ins from these.
  `create table account_networks (
    user_id uuid not null references users on delete cascade,
    network_digest bytea not null,
    last_used_at timestamptz not null,
    primary key (user_id, network_digest)
  )`,
  `create index account_networks_last_used_at on account_networks (last_used_at)`,
  // One-time tokens that a newer token of the same slot replaced in one_time_tokens. They stay valid.
  `create table earlier_tokens (
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
    expires_at timestamptz not null
  )`,
  `create index earlier_tokens_user on earlier_tokens (user_id, slot, created_at)`,
  `create index earlier_tokens_email on earlier_tokens (email)`,
  `create index earlier_tokens_expires_at on earlier_tokens (expires_at)`,
]

/** Known networks of accounts, and mailed tokens that stay valid after a newer one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
