import { type Kysely, sql } from 'kysely'

/** Adds titles to the stored values of bulk edits. Null in edits of the previous release, which change no titles. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table video_edits
      add column old_title text, add column new_title text,
      add column old_title_given boolean, add column new_title_given boolean`.execute(db)
}
