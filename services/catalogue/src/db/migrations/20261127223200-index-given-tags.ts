import { type Kysely, sql } from 'kysely'

export const outsideTransaction = true

/** Indexes the tags of videos that have some: most have none, and the function of the index takes as long as five indexes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table videos validate constraint videos_tags`.execute(db)
  await sql`drop index concurrently if exists videos_given_tags`.execute(db)
  await sql`create index concurrently videos_given_tags on videos using gin (lower_tags(tags)) where tags <> '{}'`.execute(
    db,
  )
  await sql`drop index concurrently if exists videos_tags`.execute(db)
}
