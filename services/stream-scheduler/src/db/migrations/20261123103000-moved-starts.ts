import { type Kysely, sql } from 'kysely'

/**
 * Allows negative offsets: when the start trim point of a video is moved back while it is on the air, the programme
 * continues from its former start, which is before the new one.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table programmes drop constraint programmes_offset`.execute(db)
  await sql`
    create function played_from_ms(duration_ms integer, start_at_ms integer, end_at_ms integer)
    returns integer language sql immutable parallel safe as $$
      select greatest(0, least(start_at_ms, least(end_at_ms, duration_ms) - 1000))
    $$`.execute(db)
}
