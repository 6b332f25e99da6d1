import { type Kysely, sql } from 'kysely'

/** The next decision by votes is not linked to the one before: a debt was deleted with its account. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table channels add column has_forgotten_debt boolean not null default false`.execute(db)
}
