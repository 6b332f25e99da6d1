import { cleanLine, cleanParagraph } from '@looptide/contracts/text'
import { type Bridge, executeFile } from '@looptide/service-kit/db/bridge'
import { normalTags, rewriteTexts } from '@looptide/service-kit/db/rewrite-texts'
import { type QueryExecutorProvider, sql } from 'kysely'

/** Creates channels, their playlists, timelines and schedules. */
export const up = (db: QueryExecutorProvider): Promise<void> =>
  executeFile(db, new URL('20261127000000-baseline.sql', import.meta.url))

export const bridge: Bridge = {
  states: {
    '20261121201600-reports-of-channel': 'e643dcf',
    '20261125101500-planned-checksum': 'a1f7ac93',
    '20261126190000-normal-texts': '17e9159a',
  },
  alter: `
    alter table videos
      add column if not exists category text,
      add column if not exists tags text[] not null default '{}',
      add column if not exists view_count bigint not null default 0,
      add column if not exists start_at_ms integer not null default 0,
      add column if not exists end_at_ms integer;
    alter table channels
      add column if not exists schedule_version integer not null default 0,
      add column if not exists schedule_problems integer not null default 0,
      add column if not exists planned_checksum text;
    alter table programmes
      alter column item_id drop not null,
      alter column video_id drop not null,
      add column if not exists kind text not null default 'video',
      add column if not exists reason jsonb,
      add column if not exists offset_ms integer not null default 0,
      drop constraint if exists programmes_kind,
      add constraint programmes_kind check (kind in ('video', 'ident', 'countdown')),
      drop constraint if exists programmes_video,
      add constraint programmes_video check ((kind = 'video') = (video_id is not null and item_id is not null));
    alter table air_log add column if not exists reason jsonb;
    alter table timeline_changes
      drop constraint timeline_changes_kind_check,
      add constraint timeline_changes_kind_check check (kind in ('edit', 'restart', 'reset', 'takeover'));
    alter table playback_reports
      add column if not exists network text,
      add column if not exists country text,
      drop constraint if exists playback_reports_country,
      add constraint playback_reports_country check (country ~ '^[A-Z]{2}$')`,
  convert: async (db, from) => {
    if (from === 'e643dcf') await fillLastAirings(db)
    await sql`
      insert into first_start_steps (step)
      select 'channel ' || id from unnest(array['default', 'test-card', 'night-and-day']) as id
      where exists (select from channels)`.execute(db)
    await normaliseTexts(db)
  },
}

async function fillLastAirings(db: QueryExecutorProvider): Promise<void> {
  await sql`
    insert into last_airings (channel_id, video_id, started_at_ms, ended_at_ms)
    select distinct on (l.channel_id, l.video_id) l.channel_id, l.video_id, l.started_at_ms, l.ended_at_ms
    from air_log l join videos v on v.id = l.video_id
    order by l.channel_id, l.video_id, l.started_at_ms desc`.execute(db)
}

/**
 * Normalises the texts of channels and videos, as those of requests are. The catalogue does the same with its videos,
 * without events. Schedules need no change: their names are compared by `textKey`.
 */
async function normaliseTexts(db: QueryExecutorProvider): Promise<void> {
  const orUnchanged = (text: string): string => cleanLine(text) || text
  const paragraph = (text: string): string | null => cleanParagraph(text) || null
  await rewriteTexts(db, {
    table: 'videos',
    key: ['id'],
    columns: {
      title: orUnchanged,
      artist_name: orUnchanged,
      description: paragraph,
      genre: orUnchanged,
      tags: normalTags,
    },
  })
  await rewriteTexts(db, {
    table: 'channels',
    key: ['id'],
    columns: { name: orUnchanged, description: paragraph },
  })
  await rewriteTexts(db, {
    table: 'air_log',
    key: ['channel_id', 'seq'],
    columns: { title: orUnchanged, artist_name: orUnchanged },
  })
  await rewriteTexts(db, { table: 'takeovers', key: ['channel_id'], columns: { title: orUnchanged } })
}
