import { type Kysely, sql } from 'kysely'

const statements = [
  `create table revoked_keys (
    kid text primary key,
    until timestamptz not null
  )`,
  `create index revoked_keys_until on revoked_keys (until)`,
]

/** Revoked signing keys, for processes that missed the event. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of statements) await sql.raw(statement).execute(db)
}
