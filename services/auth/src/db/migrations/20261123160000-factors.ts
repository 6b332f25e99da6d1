import { type Kysely, sql } from 'kysely'

const statements = [
  `create table factors (
    id uuid primary key,
    user_id uuid not null references users on delete cascade,
    factor_type text not null check (factor_type in ('totp', 'recovery_code')),
    friendly_name text not null,
    status text not null check (status in ('unverified', 'verified')),
    sealed_secret bytea,
    last_step bigint not null default 0,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    last_challenged_at timestamptz,
    check (factor_type <> 'totp' or sealed_secret is not null)
  )`,
  `create unique index factors_name on factors (user_id, friendly_name)`,
  `create unique index factors_one_recovery on factors (user_id) where factor_type = 'recovery_code'`,
  `create index factors_unverified on factors (created_at) where status = 'unverified'`,
  `create table factor_challenges (
    id uuid primary key,
    factor_id uuid not null references factors on delete cascade,
    network text,
    created_at timestamptz not null
  )`,
  `create index factor_challenges_factor on factor_challenges (factor_id, created_at)`,
  `create index factor_challenges_created on factor_challenges (created_at)`,
  `create table recovery_codes (
    factor_id uuid not null references factors on delete cascade,
    code_digest bytea not null,
    used_at timestamptz,
    primary key (factor_id, code_digest)
  )`,
  // The second factor that a session was verified with. Null: none, the session has aal1.
  `alter table sessions add column factor_id uuid`,
  `alter table sessions add column factor_method text`,
  `alter table sessions add column factor_verified_at timestamptz`,
]

/** Second factors (TOTP and recovery codes), their challenges, and the factor that a session was verified with. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
