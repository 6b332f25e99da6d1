import { type Kysely, sql } from 'kysely'

/**
 * Live takeovers, at most one per channel. `interrupted` holds the programme that was cut and the order of those planned
 * after it, so that the channel returns to them. A programme may begin within its video (`offset_ms`).
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table takeovers (
      channel_id text primary key references channels (id) on delete cascade,
      id uuid not null unique,
      title text not null,
      items jsonb not null,
      is_live boolean not null,
      starts_at_ms bigint not null,
      ends_at_ms bigint check (ends_at_ms > starts_at_ms),
      return_policy text not null check (return_policy in ('join', 'continue')),
      is_stopped boolean not null default false,
      interrupted jsonb not null,
      started_by uuid,
      started_at_ms bigint not null
    )`.execute(db)
  await sql`
    alter table programmes
      add column offset_ms integer not null default 0,
      add constraint programmes_offset check (offset_ms >= 0)`.execute(db)
  await sql`
    alter table timeline_changes
      drop constraint timeline_changes_kind_check,
      add constraint timeline_changes_kind_check check (kind in ('edit', 'restart', 'reset', 'takeover'))`.execute(
    db,
  )
}
