import { type Kysely, sql } from 'kysely'

/** The order of the waiting requests, and the changes since it was published. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table channels add column queue_sequence bigint not null default 0`.execute(db)
  // The place in the expected order. Those without one come last. video_version: of the event that changed the texts last.
  await sql`alter table requests
    add column rank integer not null default 2147483647,
    add column video_version bigint not null default 0`.execute(db)
  // One row for each change, not one for each channel: votes that are cast together do not wait for each other.
  await sql`create table queue_changes (
    channel_id text not null references channels (id) on delete cascade,
    id bigint generated always as identity,
    primary key (channel_id, id)
  )`.execute(db)
}
