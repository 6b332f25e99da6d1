import { type Kysely, sql } from 'kysely'

/** Marks the title and the picture that an admin has set, as `artist_given` does the artist: metadata leaves them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table videos
      add column title_given boolean not null default false,
      add column thumbnail_given boolean not null default false`.execute(db)
}
