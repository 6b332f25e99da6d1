import { type Kysely, sql } from 'kysely'

/**
 * How each version of a timeline was planned, and by whom. A programme stores the version that planned it; programmes
 * from `next_seq` were added by later extensions.
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
