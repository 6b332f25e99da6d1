import { type Kysely, sql } from 'kysely'

/** Outbox, inbox and dead letters: in the schema of every service that has a database. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table outbox (
      seq bigserial primary key,
      id uuid not null unique,
      type text not null,
      occurred_at timestamptz not null,
      actor_id text,
      correlation_id text,
      aggregate_id text not null,
      data jsonb not null
    )`.execute(db)
  // The relay listens; a trigger wakes it in the commit itself, so an event leaves within milliseconds.
  await sql`
    create function outbox_wake() returns trigger language plpgsql as $$
    begin
      perform pg_notify('outbox_' || tg_table_schema, '');
      return null;
    end $$`.execute(db)
  await sql`
    create trigger outbox_wake after insert on outbox
    for each statement execute function outbox_wake()`.execute(db)
  await sql`
    create table inbox (
      consumer text not null,
      event_id uuid not null,
      received_at timestamptz not null default now(),
      primary key (consumer, event_id)
    )`.execute(db)
  await sql`create index inbox_received_at on inbox (received_at)`.execute(db)
  await sql`
    create table dead_letters (
      id bigserial primary key,
      consumer text not null,
      subject text not null,
      event_id uuid,
      envelope jsonb not null,
      error text not null,
      failed_at timestamptz not null default now(),
      replayed_at timestamptz,
      unique (consumer, event_id)
    )`.execute(db)
}
