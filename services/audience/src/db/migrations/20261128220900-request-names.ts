import { type Kysely, sql } from 'kysely'

/** Requesters may hide who they are. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table profiles add column shows_requests boolean not null default true`.execute(db)
}
