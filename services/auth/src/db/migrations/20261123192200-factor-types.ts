import { type Kysely, sql } from 'kysely'

/** Validates the types of all factors while they may be written. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table factors validate constraint factors_factor_type_check`.execute(db)
}
