import { type Kysely, sql } from 'kysely'

const statements = [
  `create table personal_tokens (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    token_digest bytea not null unique check (length(token_digest) = 32),
    name text not null check (length(name) between 1 and 120),
    scopes text[] not null,
    has_factor boolean not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    last_used_at timestamptz
  )`,
  `create index personal_tokens_user on personal_tokens (user_id)`,
  `create index personal_tokens_expires_at on personal_tokens (expires_at)`,
]

/** Personal access tokens. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
