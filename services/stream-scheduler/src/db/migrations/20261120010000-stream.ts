import { type Kysely, sql } from 'kysely'

/**
 * Channels, what they play, and their timelines.
 *
 * Instants of the timeline are epoch milliseconds in bigint: they are added up, compared and sent as such, and
 * no rounding of another type may move a programme.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await videos(db)
  await channels(db)
  await programmes(db)
  await airLog(db)
  await reports(db)
}

/**
 * What we know of the catalogue's videos. A removed one stays as long as a programme shows it. `version` grows
 * with every change a viewer could see; a programme remembers the version it was planned with.
 */
async function videos(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table videos (
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
        and (youtube_id is not null or video_url ~* '\.(mp4|webm|m3u8)([?#]|$)')
      ) stored
    )`.execute(db)
  // Lists of other services that were read through to their end once.
  await sql`
    create table backfills (
      name text primary key,
      completed_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index videos_in_order on videos (created_at, id) where playable and is_public`.execute(db)
  await sql`create index videos_quarantined on videos (quarantined_at desc, id) where quarantined_at is not null`.execute(
    db,
  )
}

async function channels(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table channels (
      id text primary key,
      name text not null,
      description text,
      position integer not null,
      is_active boolean not null default true,
      shuffle_enabled boolean not null default false,
      status text not null default 'idle' check (status in ('idle', 'syncing', 'live')),
      status_changed_at timestamptz not null default now(),
      -- Grows with every change of the future. Programmes carry the version that made them.
      timeline_version bigint not null default 0,
      -- Grows when what the channel plays has changed: what a process remembers of it is then out of date.
      loop_version bigint not null default 0,
      seed text not null,
      -- The sequence number after the last programme, and the instant it ends (null: there is none).
      next_seq bigint not null default 1,
      ends_at_ms bigint,
      -- Programmes up to this one are in the air log and can never be replaced.
      aired_seq bigint not null default 0,
      leader uuid,
      created_by uuid,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index channels_leader on channels (leader) where status <> 'idle'`.execute(db)
  // The live playlist is the playlist of the channel 'default'. Places are sort keys: a list shows ranks.
  await sql`
    create table channel_playlists (
      id uuid primary key,
      channel_id text not null references channels (id) on delete cascade,
      video_id uuid not null,
      position bigint not null,
      created_by uuid,
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index channel_playlists_order on channel_playlists (channel_id, position, id)`.execute(db)
  await sql`create index channel_playlists_video on channel_playlists (video_id)`.execute(db)
  // The order of the round in which a timeline's end lies, and how much of it has been laid out.
  await sql`
    create table loops (
      channel_id text primary key references channels (id) on delete cascade,
      round_seq bigint not null,
      item_ids uuid[] not null,
      next_place integer not null
    )`.execute(db)
  // Random ids do not compress; trying takes longer than writing them.
  await sql`alter table loops alter column item_ids set storage external`.execute(db)
  // Channels whose future may not be true any more because a video has changed; the leader rebuilds them.
  await sql`
    create table stale_channels (
      channel_id text primary key references channels (id) on delete cascade,
      since timestamptz not null default now()
    )`.execute(db)
  // Who is alive. Its clock is the database's, so no process's clock can keep or lose a channel.
  await sql`
    create table replicas (
      id uuid primary key,
      seen_at timestamptz not null
    )`.execute(db)
}

/**
 * The timeline. What it must never be, the database refuses:
 *
 * - A GAP: every programme but a channel's first names its predecessor (`prev_seq = seq - 1`) and the foreign key
 *   demands that the predecessor ends at the very millisecond this one starts. It is checked at the commit, so a
 *   transaction may take the future away and write another one. There is one first programme at most (unique
 *   index), so a channel's rows are one unbroken chain.
 * - AN OVERLAP: the exclusion constraint, at once, whoever writes.
 *
 * Pruning the past makes the oldest programme that stays the first one. A stopped channel has no programmes; its
 * history is the air log.
 */
async function programmes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table programmes (
      channel_id text not null references channels (id) on delete cascade,
      seq bigint not null check (seq >= 1),
      prev_seq bigint,
      -- The sequence number with which the round through the playlist began.
      round_seq bigint not null,
      item_id uuid not null,
      video_id uuid not null references videos (id),
      video_version bigint not null,
      version bigint not null,
      starts_at_ms bigint not null,
      ends_at_ms bigint not null,
      primary key (channel_id, seq),
      unique (channel_id, seq, ends_at_ms),
      constraint programmes_length check (ends_at_ms > starts_at_ms),
      constraint programmes_predecessor check (prev_seq = seq - 1),
      constraint programmes_no_gap foreign key (channel_id, prev_seq, starts_at_ms)
        references programmes (channel_id, seq, ends_at_ms) deferrable initially deferred,
      constraint programmes_no_overlap exclude using gist
        (channel_id with =, int8range(starts_at_ms, ends_at_ms) with &&)
    )`.execute(db)
  await sql`create unique index programmes_one_first on programmes (channel_id) where prev_seq is null`.execute(
    db,
  )
  // The other side of the foreign key: without it, taking out n programmes looks at n × n.
  await sql`create index programmes_successor on programmes (channel_id, prev_seq)`.execute(db)
  await sql`create index programmes_video on programmes (video_id)`.execute(db)
}

/** What really was on. Texts are those of the hour; the video may be gone. */
async function airLog(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table air_log (
      channel_id text not null references channels (id) on delete cascade,
      seq bigint not null,
      round_seq bigint not null,
      item_id uuid not null,
      video_id uuid not null,
      title text not null,
      artist_name text not null,
      started_at_ms bigint not null,
      ended_at_ms bigint not null,
      primary key (channel_id, seq),
      check (ended_at_ms > started_at_ms)
    )`.execute(db)
  await sql`create index air_log_time on air_log (channel_id, started_at_ms desc)`.execute(db)
  await sql`create index air_log_age on air_log (started_at_ms)`.execute(db)
}

/** What viewers' players told: one row per viewer, video and kind. */
async function reports(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table playback_reports (
      video_id uuid not null references videos (id) on delete cascade,
      kind text not null check (kind in ('error', 'duration')),
      viewer text not null,
      channel_id text not null references channels (id) on delete cascade,
      error_code integer,
      duration_ms integer,
      reported_at timestamptz not null,
      primary key (video_id, kind, viewer)
    )`.execute(db)
  await sql`create index playback_reports_age on playback_reports (reported_at)`.execute(db)
}
