import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Index for the hourly retention run that deletes restrictions lifted more than 8 days ago. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists restrictions_lifted`.execute(db)
  await sql`create index concurrently restrictions_lifted on restrictions (expires_at) where is_lifted`.execute(
    db,
  )
}
