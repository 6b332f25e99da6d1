import { type Kysely, sql } from 'kysely'

/** Adds flags for a title and a thumbnail set by an admin. Like `artist_given`, they stop metadata from replacing it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table videos
      add column title_given boolean not null default false,
      add column thumbnail_given boolean not null default false`.execute(db)
}
