import { type Kysely, sql } from 'kysely'

/** How many mails were requested for an address in a row, or on a day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table mail_throttle add column streak integer not null default 1`.execute(db)
}
