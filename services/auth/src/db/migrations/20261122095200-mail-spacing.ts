import { type Kysely, sql } from 'kysely'

/** Number of mails requested for an email in a row, or on one day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail_throttle add column streak integer not null default 1`.execute(db)
}
