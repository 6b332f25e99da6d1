import { type Kysely, sql } from 'kysely'

/** Requests whose votes have changed since their number was published. Rows are only inserted, so that votes do not wait. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table vote_changes (
      request_id uuid not null references requests (id) on delete cascade,
      id bigint generated always as identity,
      primary key (request_id, id)
    )`.execute(db)
}
