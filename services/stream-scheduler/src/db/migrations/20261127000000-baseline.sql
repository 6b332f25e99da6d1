-- Channels, their playlists, timelines and schedules as migrations find them first. Later migrations change them; this
-- file stays as it is.
--
-- Instants of the timeline are epoch milliseconds as bigint. They are added, compared and sent in this form, so that no
-- rounding of another type moves a programme.

-- Projection of the catalogue's videos. A removed video is kept while a programme refers to it. `version` increases with
-- every change that viewers can see; a programme stores the version it was planned with.
create table if not exists videos (
  id uuid primary key,
  title text not null,
  artist_name text not null,
  description text,
  genre text,
  duration_ms integer not null check (duration_ms >= 1),
  duration_assumed boolean not null,
  thumbnail_url text,
  video_url text not null,
  youtube_id text,
  is_public boolean not null,
  metadata_status text not null,
  created_at timestamptz not null,
  removed_at timestamptz,
  quarantined_at timestamptz,
  quarantine_reason text,
  quarantine_channel_id text,
  version bigint not null default 1,
  event_version bigint not null default 0,
  playable boolean not null generated always as (
    removed_at is null and quarantined_at is null and metadata_status <> 'unavailable'
    and (youtube_id is not null or video_url ~* '.(mp4|webm|m3u8)([?#]|$)')
  ) stored,
  -- What schedules choose videos by, and trim points.
  category text,
  tags text[] not null default '{}',
  view_count bigint not null default 0,
  start_at_ms integer not null default 0,
  end_at_ms integer
);
create index if not exists videos_in_order on videos (created_at, id) where playable and is_public;
create index if not exists videos_quarantined on videos (quarantined_at desc, id) where quarantined_at is not null;
create index if not exists videos_removed on videos (removed_at) where removed_at is not null;

-- The length that is played, as `playedRange` of packages/playhead computes it.
create or replace function played_ms(duration_ms integer, start_at_ms integer, end_at_ms integer)
returns integer language sql immutable parallel safe as $$
  select least(end_at_ms, duration_ms)
    - greatest(0, least(start_at_ms, least(end_at_ms, duration_ms) - 1000))
$$;

create or replace function played_from_ms(duration_ms integer, start_at_ms integer, end_at_ms integer)
returns integer language sql immutable parallel safe as $$
  select greatest(0, least(start_at_ms, least(end_at_ms, duration_ms) - 1000))
$$;

-- Lists of other services that have been read completely.
create table if not exists backfills (
  name text primary key,
  completed_at timestamptz not null default now()
);

create table if not exists channels (
  id text primary key,
  name text not null,
  description text,
  position integer not null,
  is_active boolean not null default true,
  shuffle_enabled boolean not null default false,
  status text not null default 'idle' check (status in ('idle', 'syncing', 'live')),
  status_changed_at timestamptz not null default now(),
  -- Increases with every change of the future. Each programme stores the version that planned it.
  timeline_version bigint not null default 0,
  -- Increases when the channel's loop changes: loops cached by processes are then out of date.
  loop_version bigint not null default 0,
  seed text not null,
  -- The sequence number after the last programme, and the instant the last one ends (null without programmes).
  next_seq bigint not null default 1,
  ends_at_ms bigint,
  -- Programmes up to this one are in the air log and are never replaced.
  aired_seq bigint not null default 0,
  leader uuid,
  created_by uuid,
  created_at timestamptz not null default now(),
  schedule_version integer not null default 0,
  -- The number of problems of the published schedule: its sources may lose their videos after the publication.
  schedule_problems integer not null default 0,
  -- From which library and playlists the schedule was last planned, to notice that they have changed since.
  planned_checksum text
);
create index if not exists channels_leader on channels (leader) where status <> 'idle';

-- The live playlist is the playlist of the channel 'default'. `position` is a sort key with gaps.
create table if not exists channel_playlists (
  id uuid primary key,
  channel_id text not null references channels (id) on delete cascade,
  video_id uuid not null,
  position bigint not null,
  created_by uuid,
  created_at timestamptz not null default now()
);
create index if not exists channel_playlists_order on channel_playlists (channel_id, position, id);
create index if not exists channel_playlists_video on channel_playlists (video_id);

-- The playlist items of videos removed from the library, so that a restored video returns to its positions.
create table if not exists removed_playlist_items (
  id uuid primary key,
  channel_id text not null references channels (id) on delete cascade,
  video_id uuid not null,
  position bigint not null,
  created_by uuid,
  created_at timestamptz not null,
  removed_at timestamptz not null default now()
);
create index if not exists removed_playlist_items_video on removed_playlist_items (video_id);
create index if not exists removed_playlist_items_channel on removed_playlist_items (channel_id);
create index if not exists removed_playlist_items_by_age on removed_playlist_items (removed_at);

-- No longer used: `schedule_states` has the planner's state of loops too. Random ids do not compress.
create table if not exists loops (
  channel_id text primary key references channels (id) on delete cascade,
  round_seq bigint not null,
  item_ids uuid[] not null,
  next_place integer not null
);
alter table loops alter column item_ids set storage external;

-- Channels whose future may be wrong because a video has changed. Their leaders rebuild them.
create table if not exists stale_channels (
  channel_id text primary key references channels (id) on delete cascade,
  since timestamptz not null default now()
);

-- Heartbeats of the replicas, by the database's clock: a wrong clock of a process cannot keep or lose a channel.
create table if not exists replicas (
  id uuid primary key,
  seen_at timestamptz not null
);

-- The timeline. Constraints prevent invalid ones:
--
-- - Gaps: every programme except a channel's first one names its predecessor (`prev_seq = seq - 1`), and the foreign key
--   requires that the predecessor ends at the millisecond this one starts. It is checked at the commit, so a transaction
--   may delete the future and write another one. A unique index allows one first programme, so the rows of a channel
--   form one chain.
-- - Overlaps: the exclusion constraint, checked at once.
--
-- When the past is pruned, the oldest remaining programme becomes the first one. A stopped channel has no programmes;
-- its history is the air log. Programmes may be cards without a video.
create table if not exists programmes (
  channel_id text not null references channels (id) on delete cascade,
  seq bigint not null check (seq >= 1),
  prev_seq bigint,
  -- The sequence number of the first programme of this cycle: one pass through the loop.
  round_seq bigint not null,
  item_id uuid,
  video_id uuid references videos (id),
  video_version bigint not null,
  version bigint not null,
  starts_at_ms bigint not null,
  ends_at_ms bigint not null,
  kind text not null default 'video',
  reason jsonb,
  -- A programme may begin within its video. Negative when the start trim point of a video is moved back while it is on
  -- the air: the programme continues from its former start, which is before the new one.
  offset_ms integer not null default 0,
  primary key (channel_id, seq),
  unique (channel_id, seq, ends_at_ms),
  constraint programmes_length check (ends_at_ms > starts_at_ms),
  constraint programmes_predecessor check (prev_seq = seq - 1),
  constraint programmes_no_gap foreign key (channel_id, prev_seq, starts_at_ms)
    references programmes (channel_id, seq, ends_at_ms) deferrable initially deferred,
  constraint programmes_no_overlap exclude using gist
    (channel_id with =, int8range(starts_at_ms, ends_at_ms) with &&),
  constraint programmes_kind check (kind in ('video', 'ident', 'countdown')),
  constraint programmes_video check ((kind = 'video') = (video_id is not null and item_id is not null))
);
create unique index if not exists programmes_one_first on programmes (channel_id) where prev_seq is null;
-- The referencing side of the foreign key: without it, deleting n programmes reads n × n rows.
create index if not exists programmes_successor on programmes (channel_id, prev_seq);
create index if not exists programmes_video on programmes (video_id);

-- How each version of a timeline was planned, and by whom. A programme stores the version that planned it; programmes
-- from `next_seq` were added by later extensions.
create table if not exists timeline_changes (
  channel_id text not null references channels (id) on delete cascade,
  version bigint not null,
  kind text not null check (kind in ('edit', 'restart', 'reset', 'takeover')),
  actor_id uuid,
  next_seq bigint not null,
  changed_at timestamptz not null default now(),
  primary key (channel_id, version)
);
create index if not exists timeline_changes_by_time on timeline_changes (changed_at);

-- The programmes that have been on the air, with the texts of that time. The video may have been removed since.
create table if not exists air_log (
  channel_id text not null references channels (id) on delete cascade,
  seq bigint not null,
  round_seq bigint not null,
  item_id uuid not null,
  video_id uuid not null,
  title text not null,
  artist_name text not null,
  started_at_ms bigint not null,
  ended_at_ms bigint not null,
  reason jsonb,
  primary key (channel_id, seq),
  check (ended_at_ms > started_at_ms)
);
create index if not exists air_log_time on air_log (channel_id, started_at_ms desc);
-- Finds the oldest entries by hour instead of by instant. The planner also used an index of instants for the entries of
-- one channel, and for a channel that has long been off the air it read the entries of all others.
create index if not exists air_log_hour on air_log ((started_at_ms / 3600000));

-- What aired when, without reading the whole air log.
create table if not exists last_airings (
  channel_id text not null references channels (id) on delete cascade,
  video_id uuid not null references videos (id) on delete cascade,
  started_at_ms bigint not null,
  ended_at_ms bigint not null,
  primary key (channel_id, video_id)
);
create index if not exists last_airings_video on last_airings (video_id);

-- Schedules of channels: drafts, published versions and where planning continues.
create table if not exists schedule_drafts (
  channel_id text primary key references channels (id) on delete cascade,
  revision integer not null,
  document jsonb not null,
  based_on_version integer not null,
  saved_at timestamptz not null default now(),
  saved_by uuid
);
create table if not exists schedule_versions (
  channel_id text not null references channels (id) on delete cascade,
  version integer not null check (version >= 1),
  document jsonb not null,
  published_at timestamptz not null default now(),
  published_by uuid,
  restored_from integer,
  primary key (channel_id, version)
);
create table if not exists schedule_states (
  channel_id text primary key references channels (id) on delete cascade,
  seq bigint not null,
  starts_at_ms bigint not null,
  state jsonb
);
-- Random ids do not compress, and the attempt takes longer than writing them.
alter table schedule_states alter column state set storage external;

-- Live takeovers, at most one per channel. `interrupted` holds the programme that was cut and the order of those planned
-- after it, so that the channel returns to them.
create table if not exists takeovers (
  channel_id text primary key references channels (id) on delete cascade,
  id uuid not null unique,
  title text not null,
  items jsonb not null,
  is_live boolean not null,
  starts_at_ms bigint not null,
  ends_at_ms bigint check (ends_at_ms > starts_at_ms),
  return_policy text not null check (return_policy in ('join', 'continue')),
  is_stopped boolean not null default false,
  interrupted jsonb not null,
  started_by uuid,
  started_at_ms bigint not null
);

-- Reports of viewers' players: one row per viewer, video and kind.
create table if not exists playback_reports (
  video_id uuid not null references videos (id) on delete cascade,
  kind text not null check (kind in ('error', 'duration')),
  viewer text not null,
  channel_id text not null references channels (id) on delete cascade,
  error_code integer,
  duration_ms integer,
  reported_at timestamptz not null,
  -- A keyed hash: a duration needs reports from several networks.
  network text,
  -- So that admins see where a video does not play.
  country text constraint playback_reports_country check (country ~ '^[A-Z]{2}$'),
  primary key (video_id, kind, viewer)
);
create index if not exists playback_reports_age on playback_reports (reported_at);
create index if not exists playback_reports_channel on playback_reports (channel_id);
-- The recent reports of one viewer, who may report errors of a limited number of videos a day.
create index if not exists playback_reports_viewer on playback_reports (viewer, reported_at) where kind = 'error';
-- The list of videos with errors and the countries where they do not play.
create index if not exists playback_reports_errors
on playback_reports (video_id, country, error_code, reported_at) where kind = 'error';

-- Steps of the first start that are done (`beginFirstStep`).
create table if not exists first_start_steps (
  step text primary key,
  done_at timestamptz not null default now()
);
