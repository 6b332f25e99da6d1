import { artistKey } from '@looptide/planner/library'
import { sql } from 'kysely'
import { isPlayable } from '../db/is-playable.ts'
import { playedMs } from '../db/played-ms.ts'
import type { ChannelRow, Store } from '../db/schema.ts'
import { DEFAULT_CHANNEL_ID } from '../timeline/rules.ts'

/** An item of a channel's loop: a playlist item, or a video of the library. */
export interface LoopItem {
  itemId: string
  videoId: string
  videoVersion: number
  durationMs: number
  /** The key for artist separation: the artist, or the video itself if the artist is unknown. */
  artist: string
}

/** ASCII unit and record separators. */
const FIELD = '\u001f'
const RECORD = '\u001e'

/**
 * Aggregates all items into one text: sending and parsing ten thousand rows takes longer than finding them. The
 * artist's name is the last field, without separators.
 */
const packItems = (itemId: string, order: string) =>
  sql<string | null>`string_agg(
    concat_ws(${FIELD}, ${sql.ref(itemId)}, v.id, v.version, ${playedMs},
              translate(v.artist_name, ${FIELD + RECORD}, '')),
    ${RECORD} order by ${sql.raw(order)})`

/**
 * The items a channel plays, in order: the playable videos of its playlist. The default channel's playlist is the live
 * playlist; if it has no playable video the channel plays {@link loadFallbackItems}. A video that is not public appears
 * in no list for viewers, but a channel may play it (the Test Card does).
 */
export async function loadItems(
  db: Store,
  channel: Pick<ChannelRow, 'id'>,
  fallbackMaxMs: number,
): Promise<LoopItem[]> {
  const items = await loadPlaylistItems(db, channel.id)
  return items.length > 0 || channel.id !== DEFAULT_CHANNEL_ID ? items : loadFallbackItems(db, fallbackMaxMs)
}

/** The playable items of a channel's playlist, in order. */
export async function loadPlaylistItems(db: Store, channelId: string): Promise<LoopItem[]> {
  const listed = await sql<{ items: string | null }>`
    select ${packItems('p.id', 'p.position, p.id')} as items
    from channel_playlists p join videos v on v.id = p.video_id and ${isPlayable}
    where p.channel_id = ${channelId}`.execute(db)
  return unpackItems(listed.rows[0]?.items)
}

/**
 * Every playable public video, oldest first, up to `maxMs` long, and longer ones that are on the playlist of a channel.
 * `without` lists playlist items that a simulation removes. May be empty: longer videos play only if an admin or
 * moderator chose them.
 */
export async function loadFallbackItems(
  db: Store,
  maxMs: number,
  without: readonly string[] = [],
): Promise<LoopItem[]> {
  const all = await sql<{ items: string | null }>`
    select ${packItems('v.id', 'v.created_at, v.id')} as items
    from videos v where ${isPlayable} and v.is_public and (${playedMs} <= ${maxMs} or exists (
      select from channel_playlists p where p.video_id = v.id and p.id <> all(${without}::uuid[])
    ))`.execute(db)
  return unpackItems(all.rows[0]?.items)
}

/** Loop items of the given playlist items, in the same order, without those whose videos cannot be played. */
export async function resolveItems(
  db: Store,
  entries: readonly { itemId: string; videoId: string }[],
): Promise<LoopItem[]> {
  const found = await sql<{ items: string | null }>`
    select ${packItems('e.item_id', 'e.ordinal')} as items
    from unnest(${entries.map((e) => e.itemId)}::uuid[], ${entries.map((e) => e.videoId)}::uuid[])
           with ordinality as e (item_id, video_id, ordinal)
    join videos v on v.id = e.video_id and ${isPlayable}`.execute(db)
  return unpackItems(found.rows[0]?.items)
}

function unpackItems(items: string | null | undefined): LoopItem[] {
  if (items == null) return []
  return items.split(RECORD).map((record) => {
    const [itemId = '', videoId = '', version, durationMs, artistName = ''] = record.split(FIELD)
    return {
      itemId,
      videoId,
      videoVersion: Number(version),
      durationMs: Number(durationMs),
      artist: artistKey({ id: videoId, artistName }),
    }
  })
}

/** The artist that the programme after this video should not repeat; empty after a card. */
export async function findArtistOf(db: Store, videoId: string | null): Promise<string> {
  if (videoId === null) return ''
  const { artistName } = await db
    .selectFrom('videos')
    .select('artistName')
    .where('id', '=', videoId)
    .executeTakeFirstOrThrow()
  return artistKey({ id: videoId, artistName })
}
