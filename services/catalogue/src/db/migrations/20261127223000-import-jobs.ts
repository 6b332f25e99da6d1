import { type Kysely, sql } from 'kysely'

/** Imports are jobs: their rows, and the videos that an import or a restoration has added, which an undo deletes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table video_jobs
      add column import_rows jsonb not null default '[]',
      add column added_ids uuid[] not null default '{}',
      drop constraint video_jobs_kind_check,
      add constraint video_jobs_kind_check
        check (kind in ('import', 'edit', 'move', 'delete', 'restore', 'undo')) not valid`.execute(db)
  await sql`alter table video_jobs validate constraint video_jobs_kind_check`.execute(db)
}
