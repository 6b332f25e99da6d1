import { type Kysely, sql } from 'kysely'

/** When an account was last invited by the service key. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column invited_at timestamptz`.execute(db)
}
