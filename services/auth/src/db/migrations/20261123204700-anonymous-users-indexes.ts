import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Indexes of the users whom housekeeping deletes: anonymous ones, and those who have not confirmed their email. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [
    sql`drop index concurrently if exists users_anonymous`,
    sql`create index concurrently users_anonymous on users (anonymous_seen_at) where email is null`,
    sql`drop index concurrently if exists users_awaiting_confirmation`,
    sql`create index concurrently users_awaiting_confirmation on users (greatest(created_at, confirmation_sent_at))
      where email_confirmed_at is null and email is not null`,
    sql`drop index concurrently if exists users_unconfirmed`,
  ])
    await statement.execute(db)
}
