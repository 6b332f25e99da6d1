import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** The messages of a programme are found by the time of posting. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists live_chat_messages_time`.execute(db)
  await sql`create index concurrently live_chat_messages_time
    on live_chat_messages (channel_id, created_at, seq)`.execute(db)
}
