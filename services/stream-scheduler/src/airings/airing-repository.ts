import { sql } from 'kysely'
import type { Store } from '../db/schema.ts'

/** The programmes of a channel that started in [fromMs, toMs) and had ended by `endedByMs` (epoch ms). */
export interface AiringRange {
  channelId: string
  fromMs: number
  toMs: number
  endedByMs: number
}

const inRange = ({ channelId, fromMs, toMs, endedByMs }: AiringRange) => sql`
  channel_id = ${channelId} and started_at_ms >= ${fromMs} and started_at_ms < ${toMs}
  and ended_at_ms <= ${endedByMs}`

interface Airings {
  airings: number
  playedMs: number
  /** Average number of viewers, weighted by the length of the programmes; null where none was counted. */
  listeners: number | null
}

/** The columns of {@link Airings}, of a group of entries. */
const SUMS = sql`
  count(*)::int as airings,
  coalesce(sum(ended_at_ms - started_at_ms), 0)::float8 as played_ms,
  round(sum((ended_at_ms - started_at_ms) * listeners)
    / sum(ended_at_ms - started_at_ms) filter (where listeners is not null))::int as listeners`

export interface AiringTotals extends Airings {
  videos: number
  artists: number
}

/** The sums of the whole range. */
export async function airingTotals(db: Store, range: AiringRange): Promise<AiringTotals> {
  const { rows } = await sql<AiringTotals>`
    select ${SUMS}, count(distinct video_id)::int as videos, count(distinct artist_name)::int as artists
    from air_log where ${inRange(range)}`.execute(db)
  const [totals] = rows
  if (totals === undefined) throw new Error('an aggregate has one row')
  return totals
}

export interface VideoAirings extends Airings {
  videoId: string
  /** Title and artist of its last airing. */
  title: string
  artistName: string
  /** Average time from one start to the next, in ms; null for a single airing. */
  intervalMs: number | null
}

/** The `limit` videos with the most airings. */
export async function mostAiredVideos(db: Store, range: AiringRange, limit: number): Promise<VideoAirings[]> {
  const { rows } = await sql<VideoAirings>`
    select video_id, ${SUMS},
           (array_agg(title order by started_at_ms desc))[1] as title,
           (array_agg(artist_name order by started_at_ms desc))[1] as artist_name,
           (max(started_at_ms) - min(started_at_ms))::float8 / nullif(count(*) - 1, 0) as interval_ms
    from air_log where ${inRange(range)}
    group by video_id order by airings desc, played_ms desc, video_id limit ${limit}`.execute(db)
  return rows
}

export interface ArtistAirings extends Airings {
  artistName: string
  videos: number
}

/** The `limit` artists with the most airings. */
export async function mostAiredArtists(
  db: Store,
  range: AiringRange,
  limit: number,
): Promise<ArtistAirings[]> {
  const { rows } = await sql<ArtistAirings>`
    select artist_name, ${SUMS}, count(distinct video_id)::int as videos
    from air_log where ${inRange(range)}
    group by artist_name order by airings desc, played_ms desc, artist_name limit ${limit}`.execute(db)
  return rows
}

export interface HourAirings extends Airings {
  /** Start of the hour (UTC), epoch ms. */
  atMs: number
}

/** The hours (UTC) in which programmes started, in order. */
export async function airingsByHour(db: Store, range: AiringRange): Promise<HourAirings[]> {
  const { rows } = await sql<HourAirings>`
    select started_at_ms / 3600000 * 3600000 as at_ms, ${SUMS}
    from air_log where ${inRange(range)}
    group by 1 order by 1`.execute(db)
  return rows
}

export interface RoyaltyRow {
  title: string
  artistName: string
  startedAtMs: number
  endedAtMs: number
  listeners: number | null
}

/** At most `limit` programmes of the range in the order of their start. */
export async function royaltyRows(db: Store, range: AiringRange, limit: number): Promise<RoyaltyRow[]> {
  const { rows } = await sql<RoyaltyRow>`
    select title, artist_name, started_at_ms, ended_at_ms, listeners
    from air_log where ${inRange(range)}
    order by started_at_ms limit ${limit}`.execute(db)
  return rows
}

interface UncountedAiring {
  channelId: string
  seq: number
  startedAtMs: number
  endedAtMs: number
}

/** How many of the last programmes of a channel may still be without a number. */
const LAST = 5

/** The last programmes of every channel that have ended by `nowMs` and have no number of viewers yet. */
export async function uncountedAirings(db: Store, nowMs: number): Promise<UncountedAiring[]> {
  const { rows } = await sql<UncountedAiring>`
    select l.channel_id, l.seq, l.started_at_ms, l.ended_at_ms
    from channels c cross join lateral (
      select * from air_log where channel_id = c.id order by started_at_ms desc limit ${LAST}
    ) l
    where l.listeners is null and l.ended_at_ms <= ${nowMs}`.execute(db)
  return rows
}

/** Enters the numbers of viewers. One that another replica has entered stays. */
export async function saveListeners(
  db: Store,
  counted: readonly { channelId: string; seq: number; listeners: number }[],
): Promise<void> {
  if (counted.length === 0) return
  await sql`
    update air_log l set listeners = c.listeners
    from jsonb_to_recordset(${JSON.stringify(counted)}::jsonb)
      as c("channelId" text, seq bigint, listeners integer)
    where l.channel_id = c."channelId" and l.seq = c.seq and l.listeners is null`.execute(db)
}
