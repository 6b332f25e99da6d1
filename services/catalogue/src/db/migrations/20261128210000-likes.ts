import { type Kysely, sql } from 'kysely'

/**
 * The number of likes of a video, as audience has published it, and the version of this number. Deleted videos keep them
 * until they are restored.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const table of ['videos', 'deleted_videos']) {
    await sql`alter table ${sql.table(table)}
      add column like_count integer not null default 0,
      add column like_version bigint not null default 0`.execute(db)
  }
}
