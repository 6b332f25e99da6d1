import { type Kysely, sql } from 'kysely'

/** What strangers cannot use up: tokens that trusted requesters got, and wrong codes from networks the account knows. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table one_time_tokens add column is_trusted boolean not null default false`.execute(db)
  await sql`alter table earlier_tokens add column is_trusted boolean not null default false`.execute(db)
  await sql`alter table account_networks
    add column wrong_codes integer not null default 0, add column wrong_codes_since timestamptz`.execute(db)
}
