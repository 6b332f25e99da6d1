import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** The session in which a browser was subscribed: with it the subscription ends. Null for subscriptions from before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table push_subscriptions add column if not exists session_id uuid`.execute(db)
  await sql`drop index concurrently if exists push_subscriptions_session`.execute(db)
  await sql`create index concurrently push_subscriptions_session on push_subscriptions (session_id)`.execute(
    db,
  )
}
