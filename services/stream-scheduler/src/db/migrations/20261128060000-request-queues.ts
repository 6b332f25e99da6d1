import { type Kysely, sql } from 'kysely'

/** The waiting requests of channels, as audience has published them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create table request_queues (
    channel_id text not null references channels (id) on delete cascade,
    sequence bigint not null,
    part integer not null,
    parts integer not null,
    body jsonb not null,
    primary key (channel_id, sequence, part)
  )`.execute(db)
}
