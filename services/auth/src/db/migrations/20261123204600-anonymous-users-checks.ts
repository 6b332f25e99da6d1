import { type Kysely, sql } from 'kysely'

/** Validates the constraints of all rows while they may be written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table users validate constraint users_anonymous_check`.execute(db)
  await sql`alter table sessions validate constraint sessions_method_check`.execute(db)
}
