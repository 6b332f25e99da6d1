import { type Kysely, sql } from 'kysely'

/**
 * Schedules of channels: drafts, published versions and where planning continues. Programmes may be cards without a
 * video, and both programmes and the air log hold the reason. `last_airings` answers what aired when without reading the
 * whole air log.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table channels add column schedule_version integer not null default 0`.execute(db)
  await sql`
    create table schedule_drafts (
      channel_id text primary key references channels (id) on delete cascade,
      revision integer not null,
      document jsonb not null,
      based_on_version integer not null,
      saved_at timestamptz not null default now(),
      saved_by uuid
    )`.execute(db)
  await sql`
    create table schedule_versions (
      channel_id text not null references channels (id) on delete cascade,
      version integer not null check (version >= 1),
      document jsonb not null,
      published_at timestamptz not null default now(),
      published_by uuid,
      restored_from integer,
      primary key (channel_id, version)
    )`.execute(db)
  await sql`
    create table schedule_states (
      channel_id text primary key references channels (id) on delete cascade,
      seq bigint not null,
      starts_at_ms bigint not null,
      state jsonb
    )`.execute(db)
  await sql`
    create table last_airings (
      channel_id text not null references channels (id) on delete cascade,
      video_id uuid not null references videos (id) on delete cascade,
      started_at_ms bigint not null,
      ended_at_ms bigint not null,
      primary key (channel_id, video_id)
    )`.execute(db)
  await sql`create index last_airings_video on last_airings (video_id)`.execute(db)
  await sql`
    insert into last_airings (channel_id, video_id, started_at_ms, ended_at_ms)
    select distinct on (l.channel_id, l.video_id) l.channel_id, l.video_id, l.started_at_ms, l.ended_at_ms
    from air_log l join videos v on v.id = l.video_id
    order by l.channel_id, l.video_id, l.started_at_ms desc`.execute(db)
  await sql`
    alter table programmes
      add column kind text not null default 'video',
      add column reason jsonb,
      alter column item_id drop not null,
      alter column video_id drop not null,
      add constraint programmes_kind check (kind in ('video', 'ident', 'countdown')),
      add constraint programmes_video check ((kind = 'video') = (video_id is not null and item_id is not null))`.execute(
    db,
  )
  await sql`alter table air_log add column reason jsonb`.execute(db)
}
