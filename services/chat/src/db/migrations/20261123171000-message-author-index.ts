import { type Kysely, sql } from 'kysely'

/** Outside a transaction, because `concurrently` requires it: messages are posted meanwhile. */
export const outsideTransaction = true

/** Finds the messages of an account that is deleted. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists live_chat_messages_user`.execute(db)
  await sql`create index concurrently live_chat_messages_user on live_chat_messages (user_id, id)`.execute(db)
}
