import { type Kysely, sql } from 'kysely'

/** The free keys of `app_metadata`, which the service key sets. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column app_metadata jsonb not null default '{}'`.execute(db)
}
