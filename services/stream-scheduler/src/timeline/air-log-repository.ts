import type { ProgrammeRequest } from '@looptide/contracts/events/stream'
import { inBatches } from '@looptide/service-kit/db/batches'
import { sql } from 'kysely'
import type { Store, StoredReason, Trx } from '../db/schema.ts'

/** A programme that has started. `isEntered`: it is new in the air log; cards and programmes entered before are not. */
export interface StartedProgramme {
  channelId: string
  seq: number
  version: number
  videoId: string
  startsAtMs: number
  endsAtMs: number
  channelName: string
  /** The video's, of an entered programme. */
  title: string | null
  artistName: string | null
  /** The viewer's request that it is; null for other programmes. */
  request: ProgrammeRequest | null
  isEntered: boolean
}

/** Maximum number of programmes handled in one statement. After a long outage there are more, entered in several statements. */
export const MAX_LOGGED = 2000

/**
 * Enters the programmes of these channels that started up to `nowMs` and are not in the air log yet. The caller holds
 * the locks of the channels. A programme is entered once, since (channel, seq) is the key. Cards are not entered.
 * The log keeps which request a programme was, without those that were passed over: receipts have them.
 */
export async function logStartedProgrammes(
  trx: Trx,
  channelIds: readonly string[],
  nowMs: number,
): Promise<StartedProgramme[]> {
  const started = await sql<StartedProgramme>`
    with due as (
      select p.channel_id, p.seq, p.round_seq, p.item_id, p.video_id, p.version, p.starts_at_ms, p.ends_at_ms, p.reason
      from programmes p join channels c on c.id = p.channel_id
      where p.channel_id = any(${channelIds}) and p.seq > c.aired_seq and p.starts_at_ms <= ${nowMs}
      order by p.starts_at_ms, p.channel_id
      limit ${MAX_LOGGED}
    ), entered as (
      insert into air_log (channel_id, seq, round_seq, item_id, video_id, title, artist_name,
                           started_at_ms, ended_at_ms, reason)
      select d.channel_id, d.seq, d.round_seq, d.item_id, d.video_id, v.title, v.artist_name,
             d.starts_at_ms, d.ends_at_ms, d.reason #- '{request,passedOver}'
      from due d join videos v on v.id = d.video_id
      on conflict do nothing
      returning channel_id, seq, title, artist_name
    ), aired as (
      insert into last_airings as a (channel_id, video_id, started_at_ms, ended_at_ms, airings)
      select d.channel_id, d.video_id, max(d.starts_at_ms), max(d.ends_at_ms), count(*)
      from due d where d.video_id is not null
      group by d.channel_id, d.video_id order by d.channel_id, d.video_id
      on conflict (channel_id, video_id) do update
      set started_at_ms = excluded.started_at_ms, ended_at_ms = excluded.ended_at_ms,
          airings = a.airings + excluded.airings
    ), counted as (
      update channels c set aired_seq = last.seq
      from (select channel_id, max(seq) as seq from due group by channel_id) last
      where c.id = last.channel_id
    )
    select d.channel_id, d.seq, d.version, d.video_id, d.starts_at_ms, d.ends_at_ms, c.name as channel_name,
           e.title, e.artist_name, d.reason->'request' as request, e.seq is not null as is_entered
    from due d join channels c on c.id = d.channel_id
    left join entered e on e.channel_id = d.channel_id and e.seq = d.seq
    order by d.starts_at_ms, d.channel_id`.execute(trx)
  return started.rows
}

/** Ends the air log entry of the programme on the air at `atMs` (epoch ms). */
export async function endAirLogEntry(trx: Trx, channelId: string, atMs: number): Promise<void> {
  await sql`
    update air_log set ended_at_ms = greatest(started_at_ms + 1, ${atMs})
    where channel_id = ${channelId} and started_at_ms <= ${atMs} and ended_at_ms > ${atMs}`.execute(trx)
}

export interface AirLogFilter {
  channelId: string
  /** Entries that started before this (epoch ms). */
  beforeMs?: number | undefined
  /** Entries that ended after this (epoch ms). */
  afterMs?: number | undefined
  /** Entries that started after this (epoch ms): the last entry of the previous page, oldest first. */
  startedAfterMs?: number | undefined
  order: 'newest' | 'oldest'
  limit: number
}

export interface AirLogRow {
  channelId: string
  seq: number
  videoId: string
  title: string
  artistName: string
  startedAtMs: number
  endedAtMs: number
  thumbnailUrl: string | null
  youtubeId: string | null
  reason: StoredReason | null
  /** The video is in the public library now. */
  isListed: boolean
}

/**
 * The air log of a channel in the requested order, with one row more than `limit` if there is one. Programmes of a
 * channel do not overlap, so the entries that ended after an instant begin with the last one that started before it,
 * and the index finds that one.
 */
export async function searchAirLog(db: Store, filter: AirLogFilter): Promise<AirLogRow[]> {
  const { channelId, beforeMs, afterMs, startedAfterMs } = filter
  const conditions = [sql`l.channel_id = ${channelId}`]
  if (beforeMs !== undefined) conditions.push(sql`l.started_at_ms < ${beforeMs}`)
  if (startedAfterMs !== undefined) conditions.push(sql`l.started_at_ms > ${startedAfterMs}`)
  if (afterMs !== undefined) {
    conditions.push(sql`l.ended_at_ms > ${afterMs} and l.started_at_ms >= coalesce((
      select e.started_at_ms from air_log e
      where e.channel_id = ${channelId} and e.started_at_ms <= ${afterMs}
      order by e.started_at_ms desc limit 1), 0)`)
  }
  const { rows } = await sql<AirLogRow>`
    select l.channel_id, l.seq, l.video_id, l.title, l.artist_name, l.started_at_ms, l.ended_at_ms, l.reason,
           v.thumbnail_url, v.youtube_id, coalesce(v.is_public and v.removed_at is null, false) as is_listed
    from air_log l left join videos v on v.id = l.video_id
    where ${sql.join(conditions, sql` and `)}
    order by l.started_at_ms ${filter.order === 'newest' ? sql`desc` : sql`asc`}
    limit ${filter.limit + 1}`.execute(db)
  return rows
}

const HOUR_MS = 3_600_000

/** Deletes entries that started before the hour of `beforeMs`, in batches. Returns the number of rows. */
export function pruneAirLog(db: Store, beforeMs: number): Promise<number> {
  const hour = Math.floor(beforeMs / HOUR_MS)
  return inBatches((limit) =>
    sql`delete from air_log where (channel_id, seq) in
      (select channel_id, seq from air_log where started_at_ms / 3600000 < ${hour} limit ${limit})`.execute(
      db,
    ),
  )
}
