import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Indexes for the batches of the hourly housekeeping, which otherwise reads the tables from the start each time. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists timeline_changes_by_time`.execute(db)
  await sql`create index concurrently timeline_changes_by_time on timeline_changes (changed_at)`.execute(db)
  await sql`drop index concurrently if exists videos_removed`.execute(db)
  await sql`create index concurrently videos_removed on videos (removed_at) where removed_at is not null`.execute(
    db,
  )
}
