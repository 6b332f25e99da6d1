import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** For the hourly round that forgets restrictions which were lifted a while ago. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists restrictions_lifted`.execute(db)
  await sql`create index concurrently restrictions_lifted on restrictions (expires_at) where is_lifted`.execute(
    db,
  )
}
