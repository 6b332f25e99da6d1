import { type Kysely, sql } from 'kysely'

/** Adds tags to the stored values of bulk edits, and the saved filters of the library. */
export async function up(db: Kysely<unknown>): Promise<void> {
  // Null in edits of the previous release, which change no tags.
  await sql`alter table video_edits add column old_tags text[], add column new_tags text[]`.execute(db)
  await sql`
    create table video_filters (
      id uuid primary key,
      name text not null check (length(name) between 1 and 60),
      filter jsonb not null,
      created_by uuid,
      updated_at timestamptz(3) not null default now()
    )`.execute(db)
  await sql`create unique index video_filters_name on video_filters (lower(name))`.execute(db)
}
