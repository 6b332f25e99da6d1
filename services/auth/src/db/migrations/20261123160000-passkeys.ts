import { type Kysely, sql } from 'kysely'

const statements = [
  `create table passkeys (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    credential_id bytea not null unique check (length(credential_id) between 1 and 1023),
    public_key bytea not null check (length(public_key) <= 4096),
    counter bigint not null check (counter >= 0),
    transports text[] not null,
    name text not null check (length(name) between 1 and 120),
    created_at timestamptz not null,
    last_used_at timestamptz
  )`,
  `create index passkeys_user on passkeys (user_id)`,
  `create table spent_passkey_challenges (
    id uuid primary key,
    expires_at timestamptz not null
  )`,
  `create index spent_passkey_challenges_expires_at on spent_passkey_challenges (expires_at)`,
  `alter table sessions drop constraint sessions_method_check`,
  `alter table sessions add constraint sessions_method_check
    check (method in ('password', 'otp', 'passkey')) not valid`,
]

/** Passkeys, their used challenges, and sessions that a passkey started. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
