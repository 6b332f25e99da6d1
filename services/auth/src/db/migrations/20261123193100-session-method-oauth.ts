import { type Kysely, sql } from 'kysely'

/** Validates the sign-in methods of all sessions while they may be written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions validate constraint sessions_method_check`.execute(db)
}
