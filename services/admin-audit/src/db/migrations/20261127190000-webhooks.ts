import { type Kysely, sql } from 'kysely'

/**
 * Webhooks and their deliveries. `lane`: deliveries of one lane of a webhook are sent one after another, in the order of
 * `seq`; it is the channel of an event, or empty.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table webhooks (
      id uuid primary key,
      url text not null,
      events text[] not null,
      channel_ids text[],
      format text not null check (format in ('standard', 'discord', 'slack')),
      is_active boolean not null,
      secret text not null,
      signing_key text not null,
      previous_secret text,
      previous_signing_key text,
      previous_until timestamptz(3),
      failing_since timestamptz(3),
      disabled_reason text check (disabled_reason in ('failing', 'gone', 'backlog')),
      disabled_at timestamptz(3),
      created_by uuid,
      created_at timestamptz(3) not null
    )`.execute(db)
  await sql`
    create table webhook_deliveries (
      id uuid primary key,
      seq bigint not null generated always as identity,
      webhook_id uuid not null references webhooks (id) on delete cascade,
      event_id uuid not null,
      kind text not null check (kind in ('event', 'test', 'resend')),
      channel_id text,
      lane text not null,
      payload jsonb not null,
      state text not null default 'waiting' check (state in ('waiting', 'delivered', 'failed')),
      attempts integer not null default 0,
      next_attempt_at timestamptz(3) not null,
      attempted_at timestamptz(3),
      duration_ms integer,
      status integer,
      response text,
      error text,
      created_at timestamptz(3) not null
    )`.execute(db)
  await sql`
    create index webhook_deliveries_waiting on webhook_deliveries (webhook_id, lane, seq)
    where state = 'waiting'`.execute(db)
  await sql`create index webhook_deliveries_newest on webhook_deliveries (webhook_id, seq desc)`.execute(db)
  await sql`create index webhook_deliveries_created on webhook_deliveries (created_at)`.execute(db)
}
