import { type Kysely, sql } from 'kysely'

/** Indexes private videos by age. They have no search document, so an admin's search scans them separately. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index videos_private_newest on videos (created_at desc, id desc) where not is_public`.execute(
    db,
  )
}
