import { type Kysely, sql } from 'kysely'

/**
 * The relay's lease, the events it has published in the last minutes, and since when a row is in the outbox by the
 * database's clock.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table leases (
      name text primary key,
      holder uuid not null,
      expires_at timestamptz not null
    )`.execute(db)
  // JetStream acknowledges before it syncs to disk: what it loses in a power cut is published again from here.
  await sql`
    create table published_events (
      seq bigint primary key,
      stream text not null,
      stream_seq bigint not null,
      published_at timestamptz not null default now(),
      id uuid not null,
      type text not null,
      occurred_at timestamptz not null,
      actor_id text,
      correlation_id text,
      aggregate_id text not null,
      data jsonb not null,
      trace_parent text
    )`.execute(db)
  await sql`create index published_events_position on published_events (stream, stream_seq)`.execute(db)
  await sql`create index published_events_published_at on published_events (published_at)`.execute(db)
  await sql`alter table outbox add column written_at timestamptz not null default now()`.execute(db)
}
