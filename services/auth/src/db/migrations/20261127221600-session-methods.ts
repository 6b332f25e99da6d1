import { type Kysely, sql } from 'kysely'

/** Checks the methods of existing sessions, without blocking writes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table sessions validate constraint sessions_method_check`.execute(db)
}
