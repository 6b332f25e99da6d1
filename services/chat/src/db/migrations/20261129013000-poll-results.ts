import { type Kysely, sql } from 'kysely'

/** Results of polls are messages of those who have asked: `poll` has the result, which `message` says as a text. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table live_chat_messages add column poll jsonb`.execute(db)
}
