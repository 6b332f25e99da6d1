import { type Kysely, sql } from 'kysely'

/** What requesters see of their own requests. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // moved_from: the time for which it was planned before, if that has changed by a minute or more.
  await sql`alter table requests
    add column ended_by_staff boolean not null default false,
    add column moved_from timestamptz(3)`.execute(db)
}
