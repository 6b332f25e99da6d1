import { type Kysely, sql } from 'kysely'

/**
 * Adds what schedules choose videos by, and trim points. The catalogue backfill fills the columns of old rows.
 *
 * `played_ms` is the length that is played, as `playedRange` of packages/playhead computes it.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table videos
      add column category text,
      add column tags text[] not null default '{}',
      add column view_count bigint not null default 0,
      add column start_at_ms integer not null default 0,
      add column end_at_ms integer`.execute(db)
  await sql`
    create function played_ms(duration_ms integer, start_at_ms integer, end_at_ms integer)
    returns integer language sql immutable parallel safe as $$
      select least(end_at_ms, duration_ms)
        - greatest(0, least(start_at_ms, least(end_at_ms, duration_ms) - 1000))
    $$`.execute(db)
}
