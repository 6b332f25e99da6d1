-- planned_at: of the event whose plan was applied last.
alter table channels
  add column turn_base_ms bigint not null default 0,
  add column planned_at timestamptz(3);

-- planned_at, blocked_*: of waiting requests. aired_at, airing_id, currency: of aired ones; a pinned one has no currency.
alter table requests
  add column planned_at timestamptz(3),
  add column blocked_rule text,
  add column blocked_until timestamptz(3),
  add column aired_at timestamptz(3),
  add column airing_id text,
  add column currency text;

-- Published queues with their accounts.
create table queue_bodies (
  channel_id text not null references channels (id) on delete cascade,
  sequence bigint not null,
  body bytea not null,
  created_at timestamptz(3) not null,
  primary key (channel_id, sequence)
);
create index queue_bodies_created on queue_bodies (created_at);

-- Requests that are certain to be aired, or were, each with the queue that decided it. earlier: what had been decided with the
-- same queue before. Deleted if it is undone.
create table decisions (
  request_id uuid primary key references requests (id) on delete cascade,
  channel_id text not null,
  sequence bigint not null,
  currency text not null check (currency in ('turn', 'vote')),
  starts_at timestamptz(3) not null,
  decided_at timestamptz(3) not null,
  earlier jsonb not null,
  foreign key (channel_id, sequence) references queue_bodies (channel_id, sequence) on delete cascade
);
create index decisions_queue on decisions (channel_id, sequence);

create table vote_loads (
  channel_id text not null references channels (id) on delete cascade,
  user_id uuid not null,
  load bigint not null,
  primary key (channel_id, user_id)
);
create index vote_loads_user on vote_loads (user_id, channel_id);

create table turn_accounts (
  channel_id text not null references channels (id) on delete cascade,
  user_id uuid not null,
  load_ms bigint not null,
  is_waiting boolean not null,
  primary key (channel_id, user_id)
);
create index turn_accounts_user on turn_accounts (user_id, channel_id);

-- body: JSON, compressed. Without accounts: the key of its pseudonyms is not stored.
create table receipts (
  request_id uuid primary key references requests (id) on delete cascade,
  body bytea not null,
  digest text not null,
  decided_at timestamptz(3) not null
);
