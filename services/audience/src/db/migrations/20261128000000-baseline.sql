-- The tables of the audience as migrations find them first. Later migrations change them; this file stays as it is.

create table channels (
  id text primary key,
  is_open boolean not null default true
);

create table exclusions (
  id uuid primary key,
  channel_id text not null references channels (id) on delete cascade,
  video_id uuid,
  artist_name text,
  -- The artist's name in the form in which names are compared.
  artist_key text,
  created_by uuid,
  created_at timestamptz(3) not null,
  check ((video_id is null) <> (artist_key is null)),
  check ((artist_name is null) = (artist_key is null)),
  unique (channel_id, video_id),
  unique (channel_id, artist_key)
);

create table requests (
  id uuid primary key,
  channel_id text not null references channels (id) on delete cascade,
  user_id uuid,
  video_id uuid not null,
  title text not null,
  artist_name text not null,
  thumbnail_url text,
  duration_ms integer not null check (duration_ms > 0),
  requested_at timestamptz(3) not null,
  state text not null default 'waiting' check (state in ('waiting', 'aired', 'refused', 'withdrawn')),
  pinned_at timestamptz(3),
  reason text check (char_length(reason) <= 200),
  finished_at timestamptz(3),
  check ((state = 'waiting') = (finished_at is null))
);
create unique index requests_once on requests (channel_id, user_id, video_id) where state = 'waiting';
create index requests_channel on requests (channel_id);
create index requests_waiting on requests (channel_id, pinned_at, id) where state = 'waiting';
create index requests_finished on requests (finished_at) where finished_at is not null;
-- For the limit of an account, its export and its deletion.
create index requests_user on requests (user_id, id) where user_id is not null;

create table votes (
  request_id uuid not null references requests (id) on delete cascade,
  user_id uuid not null,
  voted_at timestamptz(3) not null,
  primary key (request_id, user_id)
);
create index votes_user on votes (user_id, request_id);

-- Keys of the network from which an account was seen last, of that day and of the next one.
create table networks (
  user_id uuid primary key,
  day date not null,
  network_key text not null,
  next_network_key text not null
);
create index networks_day on networks (day);

create table watch_hours (
  user_id uuid not null,
  starts_at timestamptz(3) not null,
  watched_ms integer not null,
  seen_at timestamptz(3) not null,
  primary key (user_id, starts_at)
) with (fillfactor = 70);
create index watch_hours_starts_at on watch_hours (starts_at);

create table profiles (
  user_id uuid primary key,
  handle text,
  registered_at timestamptz(3),
  version bigint not null,
  -- Requests that the account has tried to make since the start of a minute.
  attempts integer not null default 0,
  attempts_since timestamptz(3)
);

create table restricted_users (
  restriction_id uuid primary key,
  user_id uuid not null,
  expires_at timestamptz(3)
);
create index restricted_users_user on restricted_users (user_id);
create index restricted_users_expires_at on restricted_users (expires_at) where expires_at is not null;
