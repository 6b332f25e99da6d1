import { type Kysely, sql } from 'kysely'

/** The mailed code that replaces the current password at a change of the password: digest, and when it was sent. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column reauthentication_digest bytea`.execute(db)
  await sql`alter table users add column reauthentication_sent_at timestamptz`.execute(db)
}
