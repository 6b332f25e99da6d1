-- Outbox, inbox and dead letters: in the schema of every service that has a database.

create table if not exists outbox (
  seq bigserial primary key,
  id uuid not null unique,
  type text not null,
  occurred_at timestamptz not null,
  actor_id text,
  correlation_id text,
  aggregate_id text not null,
  data jsonb not null,
  -- What caused the event, as a W3C `traceparent`: the relay that publishes it runs apart from the request.
  trace_parent text,
  -- Since when the row is in the outbox, by the database's clock.
  written_at timestamptz not null default now()
);

-- The relay listens; a trigger wakes it in the commit itself, so an event leaves within milliseconds.
create or replace function outbox_wake() returns trigger language plpgsql as $$
begin
  perform pg_notify('outbox_' || tg_table_schema, '');
  return null;
end $$;
create or replace trigger outbox_wake after insert on outbox
for each statement execute function outbox_wake();

create table if not exists inbox (
  consumer text not null,
  event_id uuid not null,
  received_at timestamptz not null default now(),
  primary key (consumer, event_id)
);
create index if not exists inbox_received_at on inbox (received_at);

create table if not exists dead_letters (
  id bigserial primary key,
  consumer text not null,
  subject text not null,
  event_id uuid,
  envelope jsonb not null,
  error text not null,
  failed_at timestamptz not null default now(),
  replayed_at timestamptz,
  unique (consumer, event_id)
);

-- The relay's lease.
create table if not exists leases (
  name text primary key,
  holder uuid not null,
  expires_at timestamptz not null
);

-- The events of the last minutes. JetStream acknowledges before it syncs to disk: what it loses in a power cut is
-- published again from here.
create table if not exists published_events (
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
);
create index if not exists published_events_position on published_events (stream, stream_seq);
create index if not exists published_events_published_at on published_events (published_at);
