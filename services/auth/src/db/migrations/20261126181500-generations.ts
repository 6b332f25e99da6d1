import { type Kysely, sql } from 'kysely'

const statements = [
  `create table outdated_sessions (
    id uuid primary key,
    min_generation integer not null,
    until timestamptz not null
  )`,
  `create index outdated_sessions_until on outdated_sessions (until)`,
  `alter table personal_tokens add column session_id uuid`,
  `alter table personal_tokens add column generation integer not null default 0`,
]

/** Sessions whose older access tokens are refused; the session that created a personal access token. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
