import { type Kysely, sql } from 'kysely'

/** Edits of single programmes of the log, which the planner applies in each plan until their programmes are over. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table log_edits (
      id uuid primary key,
      channel_id text not null references channels (id) on delete cascade,
      action text not null,
      video_id uuid not null,
      starts_at_ms bigint not null,
      ends_at_ms bigint not null,
      operations jsonb not null,
      created_by uuid,
      created_at timestamptz not null default now(),
      constraint log_edits_action check (action in ('insert', 'skip', 'swap', 'move'))
    )`.execute(db)
  await sql`create index log_edits_channel on log_edits (channel_id, ends_at_ms)`.execute(db)
}
