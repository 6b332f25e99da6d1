import { type Kysely, sql } from 'kysely'

/**
 * Jobs: changes of many videos that the service makes in the background. The ids of the selected videos are part of the
 * row, because they are written once and read a batch at a time. An edit keeps what it replaced in `video_edits`, under
 * the id of its job.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table video_jobs (
      id uuid primary key,
      kind text not null check (kind in ('edit', 'move', 'delete', 'restore', 'undo')),
      change jsonb not null,
      video_ids uuid[] not null,
      undoes uuid references video_jobs (id) on delete cascade,
      state text not null default 'waiting' check (state in ('waiting', 'running', 'done', 'cancelled', 'failed')),
      is_cancelling boolean not null default false,
      total integer not null,
      done integer not null default 0,
      failed integer not null default 0,
      changed integer not null default 0,
      undone integer not null default 0,
      attempts integer not null default 0,
      created_by uuid,
      cancelled_by uuid,
      correlation_id text,
      created_at timestamptz not null default now(),
      started_at timestamptz,
      finished_at timestamptz
    )`.execute(db)
  await sql`
    create index video_jobs_unfinished on video_jobs (id) where state in ('waiting', 'running')`.execute(db)
  await sql`create index video_jobs_finished on video_jobs (finished_at)`.execute(db)
  await sql`create index video_jobs_of_job on video_jobs (undoes)`.execute(db)
  await sql`
    create unique index video_jobs_undo on video_jobs (undoes) where state in ('waiting', 'running')`.execute(
    db,
  )
  await sql`alter table deleted_videos add column job_id uuid`.execute(db)
}
