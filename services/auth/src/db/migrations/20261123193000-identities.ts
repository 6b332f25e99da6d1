import { type Kysely, sql } from 'kysely'

const statements = [
  `create table identities (
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
  )`,
  `create table provider_flows (
    digest bytea primary key,
    step text not null check (step in ('callback', 'exchange')),
    provider text not null,
    sealed bytea not null,
    code_challenge text not null,
    code_challenge_method text not null,
    redirect_to text not null,
    session_id uuid,
    began_at timestamptz not null,
    created_at timestamptz not null
  )`,
  `create index provider_flows_created_at on provider_flows (created_at)`,
  `alter table sessions drop constraint sessions_method_check`,
  `alter table sessions add constraint sessions_method_check
    check (method in ('password', 'otp', 'passkey', 'oauth')) not valid`,
]

/** Identities at OpenID providers, sign-ins there that are under way, and sessions that one started. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
