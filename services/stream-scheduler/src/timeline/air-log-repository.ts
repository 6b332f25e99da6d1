import { sql } from 'kysely'
import type { Store, Trx } from '../db/schema.ts'

/** A programme that has just been entered into the air log. */
export interface StartedProgramme {
  channelId: string
  seq: number
  version: number
  videoId: string
  startsAtMs: number
  endsAtMs: number
}

/** Most programmes entered at once; after a long time away there are more, and they go in step by step. */
export const MOST_LOGGED = 2000

/**
 * Enters what began up to `nowMs` on these channels (locked by the caller) and was not entered yet. A programme
 * is entered once, whoever tries: the key is (channel, seq).
 */
export async function enterStarted(
  trx: Trx,
  channelIds: readonly string[],
  nowMs: number,
): Promise<StartedProgramme[]> {
  const started = await sql<StartedProgramme>`
    with due as (
      select p.channel_id, p.seq, p.round_seq, p.item_id, p.video_id, p.version, p.starts_at_ms, p.ends_at_ms
      from programmes p join channels c on c.id = p.channel_id
      where p.channel_id = any(${channelIds}) and p.seq > c.aired_seq and p.starts_at_ms <= ${nowMs}
      order by p.starts_at_ms, p.channel_id
      limit ${MOST_LOGGED}
    ), entered as (
      insert into air_log (channel_id, seq, round_seq, item_id, video_id, title, artist_name,
                           started_at_ms, ended_at_ms)
      select d.channel_id, d.seq, d.round_seq, d.item_id, d.video_id, v.title, v.artist_name,
             d.starts_at_ms, d.ends_at_ms
      from due d join videos v on v.id = d.video_id
      on conflict do nothing
      returning channel_id, seq
    ), marked as (
      update channels c set aired_seq = last.seq
      from (select channel_id, max(seq) as seq from due group by channel_id) last
      where c.id = last.channel_id
    )
    select d.channel_id, d.seq, d.version, d.video_id, d.starts_at_ms, d.ends_at_ms
    from due d join entered e on e.channel_id = d.channel_id and e.seq = d.seq
    order by d.starts_at_ms, d.channel_id`.execute(trx)
  return started.rows
}

/** What is on the air ends now (epoch ms) instead of later. */
export async function cutEntry(trx: Trx, channelId: string, atMs: number): Promise<void> {
  await sql`
    update air_log set ended_at_ms = greatest(started_at_ms + 1, ${atMs})
    where channel_id = ${channelId} and started_at_ms <= ${atMs} and ended_at_ms > ${atMs}`.execute(trx)
}

export interface AirLogFilter {
  channelId: string
  /** Began before this (epoch ms). */
  beforeMs?: number
  /** Ended after this (epoch ms). */
  afterMs?: number
  limit: number
}

/** What was on, newest first, one row more than `limit` if there is one. */
export async function searchAirLog(db: Store, filter: AirLogFilter) {
  let query = db
    .selectFrom('airLog')
    .select(['channelId', 'seq', 'videoId', 'title', 'artistName', 'startedAtMs', 'endedAtMs'])
    .where('channelId', '=', filter.channelId)
    .orderBy('startedAtMs', 'desc')
    .limit(filter.limit + 1)
  if (filter.beforeMs !== undefined) query = query.where('startedAtMs', '<', filter.beforeMs)
  if (filter.afterMs !== undefined) query = query.where('endedAtMs', '>', filter.afterMs)
  return query.execute()
}

/** Forgets what began before `beforeMs`, some thousand rows at a time; answers how many went. */
export async function pruneAirLog(db: Store, beforeMs: number): Promise<number> {
  const gone = await sql<{ seq: number }>`
    delete from air_log where (channel_id, seq) in
      (select channel_id, seq from air_log where started_at_ms < ${beforeMs} limit 5000)
    returning seq`.execute(db)
  return gone.rows.length
}
