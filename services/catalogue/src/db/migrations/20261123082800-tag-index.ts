import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Finds videos by tag, without case, lists tagged videos, and validates the checks of the previous migration. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`drop index concurrently if exists videos_tags`.execute(db)
  await sql`create index concurrently videos_tags on videos using gin (lower_tags(tags))`.execute(db)
  await sql`drop index concurrently if exists videos_tagged`.execute(db)
  await sql`create index concurrently videos_tagged on videos (created_at desc) include (tags)
    where tags <> '{}' and review_state is null`.execute(db)
  await sql`alter table videos validate constraint videos_tags`.execute(db)
  await sql`alter table videos validate constraint videos_trim_points`.execute(db)
}
