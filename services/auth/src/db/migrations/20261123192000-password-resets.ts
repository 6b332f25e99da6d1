import { type Kysely, sql } from 'kysely'

/** When an admin demanded a new password. Until it is set, the stored one does not sign in. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users add column password_reset_required_at timestamptz`.execute(db)
}
