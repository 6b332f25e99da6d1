-- The tables of the chat as migrations find them first. Later migrations change them; this file stays as it is.

-- Each message updates the channel's row. Free space on the page allows HOT updates, which skip the index.
create table if not exists channels (
  id text primary key,
  last_seq bigint not null default 0,
  slow_mode_s integer not null default 0 check (slow_mode_s between 0 and 3600),
  is_deleted boolean not null default false,
  version bigint not null
) with (fillfactor = 50);

create table if not exists live_chat_messages (
  id uuid primary key,
  channel_id text not null references channels (id),
  seq bigint not null,
  user_id uuid not null,
  client_id uuid not null,
  message text not null check (char_length(message) between 1 and 500),
  created_at timestamptz(3) not null,
  is_deleted boolean not null default false,
  removed_at timestamptz(3),
  removed_by uuid,
  unique (channel_id, seq),
  unique (channel_id, user_id, client_id)
);
create index if not exists live_chat_messages_removed on live_chat_messages (channel_id, removed_at desc)
where is_deleted;
-- For the messages of an account that is deleted.
create index if not exists live_chat_messages_user on live_chat_messages (user_id, id);

create table if not exists chatters (
  channel_id text not null references channels (id) on delete cascade,
  user_id uuid not null,
  tokens double precision not null,
  posted_at timestamptz(3) not null,
  primary key (channel_id, user_id)
) with (fillfactor = 70);

create table if not exists profiles (
  user_id uuid primary key,
  handle text,
  artist_name text,
  version bigint not null
);

create table if not exists restrictions (
  id uuid primary key,
  user_id uuid not null,
  restriction_type text not null,
  expires_at timestamptz,
  is_lifted boolean not null
);
create index if not exists restrictions_in_force on restrictions (user_id) where not is_lifted;
-- For the hourly retention run that deletes restrictions lifted more than 8 days ago.
create index if not exists restrictions_lifted on restrictions (expires_at) where is_lifted;
