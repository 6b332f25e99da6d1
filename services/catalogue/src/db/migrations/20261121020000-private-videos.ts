import { type Kysely, sql } from 'kysely'

/** Private videos are in no document of the search: an admin's search looks through them by themselves. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index videos_private_newest on videos (created_at desc, id desc) where not is_public`.execute(
    db,
  )
}
