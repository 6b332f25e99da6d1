import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

const LIKES = sql`lpad(like_count::text, 10, '0')`

/** Sorts the library, and the videos of one category, by likes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists videos_accepted_likes`.execute(db)
  await sql`create index concurrently videos_accepted_likes on videos (${LIKES}, id) where review_state is null`.execute(
    db,
  )
  await sql`drop index concurrently if exists videos_category_likes`.execute(db)
  await sql`create index concurrently videos_category_likes on videos (category, ${LIKES}, id)`.execute(db)
}
