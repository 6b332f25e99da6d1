import { type Kysely, sql } from 'kysely'

/** The number of likes of a video, as audience has published it, and the version of this number. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table videos
    add column like_count integer not null default 0,
    add column like_version bigint not null default 0`.execute(db)
}
