import { type Kysely, sql } from 'kysely'

/**
 * Why a future is as it is: one row for each version of a timeline, telling how it was planned and by whom. A
 * programme carries the version that made it; what was laid out later, as time went on, begins at `next_seq`.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table timeline_changes (
      channel_id text not null references channels (id) on delete cascade,
      version bigint not null,
      kind text not null check (kind in ('edit', 'restart', 'reset')),
      actor_id uuid,
      next_seq bigint not null,
      changed_at timestamptz not null default now(),
      primary key (channel_id, version)
    )`.execute(db)
}
