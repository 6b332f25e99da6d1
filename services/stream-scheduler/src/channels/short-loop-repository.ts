import { type ChannelLoop, SHORT_LOOP_MS } from '@looptide/contracts/http/loops'
import { type RawBuilder, sql } from 'kysely'
import { isPlayable } from '../db/is-playable.ts'
import { playedMs } from '../db/played-ms.ts'
import type { Store } from '../db/schema.ts'
import { DEFAULT_CHANNEL_ID } from '../timeline/rules.ts'

/** Maximum number of videos of a loop that are summed. A thousand videos last an hour unless they are shorter than four seconds. */
const MAX_SUMMED = 1000
/** Maximum number of channels that are checked, by position. */
const MAX_CHANNELS = 1000

export interface ShortLoop {
  channelId: string
  name: string
  loop: ChannelLoop
}

interface Sum {
  videosCount: number
  durationMs: number
}

/**
 * The active channels whose loop without the videos `withoutIds` is shorter than an hour. Without `withoutIds`, channels
 * with a schedule are left out, because they do not repeat their playlist. With `withoutIds` only channels that play one
 * of these videos, including those that would have nothing left to play.
 */
export async function findShortLoops(
  db: Store,
  fallbackMaxMs: number,
  withoutIds: readonly string[] = [],
): Promise<ShortLoop[]> {
  const isRemoval = withoutIds.length > 0
  const playsOne = sql<boolean>`exists (
    select from channel_playlists p where p.channel_id = c.id and p.video_id = any(${[...withoutIds]}::uuid[]))`
  const { rows } = await sql<{ channelId: string; name: string; playsOne: boolean } & Sum>`
    select c.id as channel_id, c.name, ${playsOne} as plays_one, list.videos_count, list.duration_ms
    from channels c cross join lateral (
      select count(*) as videos_count, coalesce(sum(duration_ms), 0)::bigint as duration_ms from (
        select video.played_ms as duration_ms from channel_playlists p
        -- "offset 0" makes the planner look up each video by its key instead of joining the whole tables.
        cross join lateral (
          select ${playedMs} as played_ms from videos v where v.id = p.video_id and ${isPlayable} and ${isKept(withoutIds)} offset 0
        ) video
        where p.channel_id = c.id limit ${MAX_SUMMED}
      ) summed
    ) list
    where c.is_active and (${isRemoval}::boolean or c.schedule_version = 0)
      and (${!isRemoval}::boolean or c.id = ${DEFAULT_CHANNEL_ID} or ${playsOne})
    order by c.position, c.id limit ${MAX_CHANNELS}`.execute(db)
  // A default channel with a playlist does not play the library.
  const affected = rows.filter((row) => !isRemoval || row.playsOne || row.videosCount === 0)
  const lists = await Promise.all(
    affected.map(async ({ channelId, name, playsOne: _playsOne, ...sum }) => ({
      channelId,
      name,
      loop:
        sum.videosCount === 0 && channelId === DEFAULT_CHANNEL_ID
          ? { source: 'library' as const, ...(await librarySum(db, fallbackMaxMs, withoutIds)) }
          : { source: 'playlist' as const, ...sum },
    })),
  )
  return lists.filter(({ loop }) => loop.durationMs < SHORT_LOOP_MS && (isRemoval || loop.videosCount > 0))
}

const isKept = (withoutIds: readonly string[]): RawBuilder<boolean> =>
  withoutIds.length === 0 ? sql`true` : sql`v.id <> all(${[...withoutIds]}::uuid[])`

/** The default channel's fallback: see `loadFallbackItems`. */
async function librarySum(db: Store, fallbackMaxMs: number, withoutIds: readonly string[]): Promise<Sum> {
  const { rows } = await sql<Sum>`
    select count(*) as videos_count, coalesce(sum(duration_ms), 0)::bigint as duration_ms from (
      select ${playedMs} as duration_ms from videos v
      where ${isPlayable} and v.is_public and ${isKept(withoutIds)}
        and (${playedMs} <= ${fallbackMaxMs} or exists (
          select from channel_playlists p where p.video_id = v.id offset 0))
      order by v.created_at, v.id limit ${MAX_SUMMED}
    ) first`.execute(db)
  return rows[0] ?? { videosCount: 0, durationMs: 0 }
}
