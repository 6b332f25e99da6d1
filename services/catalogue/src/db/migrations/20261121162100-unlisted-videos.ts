import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Indexes unlisted (private or unavailable) videos by age. They have no search document; an admin's search scans them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists videos_unlisted_newest`.execute(db)
  await sql`create index concurrently videos_unlisted_newest on videos (created_at desc, id desc)
    where not is_listed(is_public, metadata_status)`.execute(db)
  await sql`drop index concurrently if exists videos_private_newest`.execute(db)
}
