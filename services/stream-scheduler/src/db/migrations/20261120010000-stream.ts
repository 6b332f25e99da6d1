import { type Kysely, sql } from 'kysely'

/**
 * Channels, their playlists and their timelines.
 *
 * Instants of the timeline are epoch milliseconds as bigint. They are added, compared and sent in this form, so that no
 * rounding of another type moves a programme.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await videos(db)
  await channels(db)
  await planning(db)
  await programmes(db)
  await airLog(db)
  await reports(db)
}

/**
 * Projection of the catalogue's videos. A removed video is kept while a programme refers to it. `version` increases with
 * every change that viewers can see; a programme stores the version it was planned with.
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
  // Lists of other services that have been read completely.
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
      created_at timestamptz not null default now()
    )`.execute(db)
  await sql`create index channels_leader on channels (leader) where status <> 'idle'`.execute(db)
  // The live playlist is the playlist of the channel 'default'. `position` is a sort key with gaps.
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
}

/** What leaders need to plan: the state of each channel's loop, channels to rebuild, and living replicas. */
async function planning(db: Kysely<unknown>): Promise<void> {
  // The shuffled order of the cycle at the end of a timeline, and the index of the next item to plan.
  await sql`
    create table loops (
      channel_id text primary key references channels (id) on delete cascade,
      round_seq bigint not null,
      item_ids uuid[] not null,
      next_place integer not null
    )`.execute(db)
  // Random ids do not compress, and the attempt takes longer than writing them.
  await sql`alter table loops alter column item_ids set storage external`.execute(db)
  // Channels whose future may be wrong because a video has changed. Their leaders rebuild them.
  await sql`
    create table stale_channels (
      channel_id text primary key references channels (id) on delete cascade,
      since timestamptz not null default now()
    )`.execute(db)
  // Heartbeats of the replicas, by the database's clock: a wrong clock of a process cannot keep or lose a channel.
  await sql`
    create table replicas (
      id uuid primary key,
      seen_at timestamptz not null
    )`.execute(db)
}

/**
 * The timeline. Constraints prevent invalid ones:
 *
 * - Gaps: every programme except a channel's first one names its predecessor (`prev_seq = seq - 1`), and the foreign key
 *   requires that the predecessor ends at the millisecond this one starts. It is checked at the commit, so a transaction
 *   may delete the future and write another one. A unique index allows one first programme, so the rows of a channel
 *   form one chain.
 * - Overlaps: the exclusion constraint, checked at once.
 *
 * When the past is pruned, the oldest remaining programme becomes the first one. A stopped channel has no programmes;
 * its history is the air log.
 */
async function programmes(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table programmes (
      channel_id text not null references channels (id) on delete cascade,
      seq bigint not null check (seq >= 1),
      prev_seq bigint,
      -- The sequence number of the first programme of this cycle: one pass through the loop.
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
  // The referencing side of the foreign key: without it, deleting n programmes reads n × n rows.
  await sql`create index programmes_successor on programmes (channel_id, prev_seq)`.execute(db)
  await sql`create index programmes_video on programmes (video_id)`.execute(db)
}

/** The programmes that have been on the air, with the texts of that time. The video may have been removed since. */
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

/** Reports of viewers' players: one row per viewer, video and kind. */
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
