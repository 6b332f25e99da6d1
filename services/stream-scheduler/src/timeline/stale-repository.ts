import { sql } from 'kysely'
import { playedMs } from '../db/played-ms.ts'
import type { Store, Trx } from '../db/schema.ts'
import { DEFAULT_CHANNEL_ID } from './rules.ts'

/** Removes `keeps_frozen` from a mark: a video on the air may have changed, so frozen programmes are planned again too. */
const REPLACE_FROZEN = sql`on conflict (channel_id) do update set keeps_frozen = false where stale_channels.keeps_frozen`

/** Channels to be rebuilt that this process leads, or that are off the air and have no leader. */
export async function findStaleChannels(db: Store, leader: string): Promise<string[]> {
  const rows = await sql<{ channelId: string }>`
    select s.channel_id from stale_channels s join channels c on c.id = s.channel_id
    where c.leader = ${leader} or c.status = 'idle'
    order by s.since limit 1000`.execute(db)
  return rows.rows.map((row) => row.channelId)
}

/**
 * Stores that a channel is planned again. Returns which programmes stay: those that the guide has announced (`frozen`), or
 * only those on the air.
 */
export async function unmarkStale(trx: Trx, channelId: string): Promise<'frozen' | 'onAir'> {
  const row = await trx
    .deleteFrom('staleChannels')
    .where('channelId', '=', channelId)
    .returning('keepsFrozen')
    .executeTakeFirst()
  return row?.keepsFrozen === true ? 'frozen' : 'onAir'
}

/** Marks a channel whose queue of requests has changed, if its schedule has slots for them. What is frozen stays. */
export async function markRequestsStale(trx: Trx, channelId: string): Promise<void> {
  await sql`
    insert into stale_channels (channel_id, keeps_frozen)
    select id, true from channels where id = ${channelId} and takes_requests
    on conflict do nothing`.execute(trx)
}

/**
 * Marks every channel to be rebuilt that plays or has planned one of these videos. The default channel may play any
 * video, so it is always marked, and so are channels whose schedule has problems: the videos may solve them. Waits
 * for a transaction that deletes a channel, and then leaves the channel out.
 */
export async function markChannelsStale(trx: Trx, ...videoIds: readonly string[]): Promise<void> {
  if (videoIds.length === 0) return
  await sql`
    insert into stale_channels (channel_id)
    select id from channels where id in (
      select ${DEFAULT_CHANNEL_ID}
      union select channel_id from channel_playlists where video_id = any(${videoIds}::uuid[])
      union select channel_id from programmes where video_id = any(${videoIds}::uuid[])
      union select id from channels where schedule_problems > 0
    )
    order by id
    for key share
    ${REPLACE_FROZEN}`.execute(trx)
}

/**
 * Marks the default channel to be rebuilt if one of these videos, added to or removed from a playlist, is too long for
 * its fallback.
 */
export async function markFallbackStale(
  trx: Trx,
  videoIds: readonly string[],
  fallbackMaxMs: number,
): Promise<void> {
  if (videoIds.length === 0) return
  await sql`
    insert into stale_channels (channel_id)
    select id from channels where id = ${DEFAULT_CHANNEL_ID} and exists (
      select from videos v where v.id = any(${videoIds}::uuid[]) and ${playedMs} > ${fallbackMaxMs}
    )
    ${REPLACE_FROZEN}`.execute(trx)
}
