import { SHORT_LOOP_MS } from '@looptide/contracts/http/short-loops'
import type { ChannelLoop } from '@looptide/contracts/http/simulation'
import { type RawBuilder, sql } from 'kysely'
import type { Store } from '../../db/schema.ts'
import { DEFAULT_CHANNEL_ID } from '../../timeline/rules.ts'

/** Videos of a list that are added up. More last an hour, unless they are shorter than four seconds. */
const MOST_ADDED = 1000
/** Most channels that are looked at, by position. */
const MOST_CHANNELS = 1000

export interface ShortList {
  channelId: string
  name: string
  loop: ChannelLoop
}

type Sum = { videosCount: number; durationMs: number }

/**
 * The active channels whose list, without `withoutIds`, is shorter than an hour. With `withoutIds` only channels that
 * play one of these videos, also those that are left with nothing.
 */
export async function shortLists(
  db: Store,
  fallbackMaxMs: number,
  withoutIds: readonly string[] = [],
): Promise<ShortList[]> {
  const isRemoval = withoutIds.length > 0
  const playsOne = sql<boolean>`exists (
    select from channel_playlists p where p.channel_id = c.id and p.video_id = any(${[...withoutIds]}::uuid[]))`
  const { rows } = await sql<{ channelId: string; name: string; playsOne: boolean } & Sum>`
    select c.id as channel_id, c.name, ${playsOne} as plays_one, list.videos_count, list.duration_ms
    from channels c cross join lateral (
      select count(*) as videos_count, coalesce(sum(duration_ms), 0)::bigint as duration_ms from (
        select video.duration_ms from channel_playlists p
        -- Each video by its key: with offset the planner does not join the whole tables.
        cross join lateral (
          select v.duration_ms from videos v where v.id = p.video_id and v.playable and ${isKept(withoutIds)} offset 0
        ) video
        where p.channel_id = c.id limit ${MOST_ADDED}
      ) some_of_them
    ) list
    where c.is_active and (${!isRemoval}::boolean or c.id = ${DEFAULT_CHANNEL_ID} or ${playsOne})
    order by c.position, c.id limit ${MOST_CHANNELS}`.execute(db)
  // A default channel with a playlist of its own does not play the library.
  const concerned = rows.filter((row) => !isRemoval || row.playsOne || row.videosCount === 0)
  const lists = await Promise.all(
    concerned.map(async ({ channelId, name, playsOne: _playsOne, ...sum }) => ({
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

/** What the default channel plays without a playlist: public videos up to a length, or, where there are none, all. */
async function librarySum(db: Store, fallbackMaxMs: number, withoutIds: readonly string[]): Promise<Sum> {
  const sum = async (condition: RawBuilder<boolean>): Promise<Sum> => {
    const { rows } = await sql<Sum>`
      select count(*) as videos_count, coalesce(sum(duration_ms), 0)::bigint as duration_ms from (
        select v.duration_ms from videos v
        where v.playable and v.is_public and ${isKept(withoutIds)} and ${condition}
        order by v.created_at, v.id limit ${MOST_ADDED}
      ) first`.execute(db)
    return rows[0] ?? { videosCount: 0, durationMs: 0 }
  }
  const fitting = await sum(sql`(v.duration_ms <= ${fallbackMaxMs} or exists (
    select from channel_playlists p where p.video_id = v.id offset 0))`)
  return fitting.videosCount > 0 ? fitting : sum(sql`true`)
}
