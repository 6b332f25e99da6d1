import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Indexes the videos that viewers do not see, now with those without a title: an admin's search scans them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists videos_unseen_newest`.execute(db)
  await sql`create index concurrently videos_unseen_newest on videos (created_at desc, id desc)
    where not is_listed(is_public, metadata_status, title) and review_state is null`.execute(db)
  await sql`drop index concurrently if exists videos_hidden_newest`.execute(db)
}
