import { newId } from '@looptide/service-kit/db/ids'
import { sql } from 'kysely'
import type { Store, Trx, VideoRow } from '../db/schema.ts'
import { GAP } from './minimal-moves.ts'

export interface PlaylistItemRow {
  id: string
  channelId: string
  videoId: string
  position: number
}

/**
 * A page of a playlist in its order, with one item more than `limit` if there is one, and the videos of its items that
 * have arrived from the catalogue.
 */
export async function listItems(
  db: Store,
  channelId: string,
  after: { position: number; id: string } | null,
  limit: number,
): Promise<{ items: PlaylistItemRow[]; videos: Map<string, VideoRow> }> {
  let query = db
    .selectFrom('channelPlaylists')
    .select(['id', 'channelId', 'videoId', 'position'])
    .where('channelId', '=', channelId)
    .orderBy('position')
    .orderBy('id')
    .limit(limit + 1)
  if (after !== null) {
    query = query.where(sql<boolean>`(position, id) > (${after.position}, ${after.id}::uuid)`)
  }
  const items = await query.execute()
  const videoIds = items.map((item) => item.videoId)
  const videos = await db
    .selectFrom('videos')
    .selectAll()
    .where('id', '=', sql<string>`any(${videoIds}::uuid[])`)
    .where('removedAt', 'is', null)
    .execute()
  return { items, videos: new Map(videos.map((video) => [video.id, video])) }
}

/** Number of items of a channel's playlist, unplayable ones included. */
export async function countItems(db: Store, channelId: string): Promise<number> {
  const row = await db
    .selectFrom('channelPlaylists')
    .select((select) => select.fn.countAll<number>().as('count'))
    .where('channelId', '=', channelId)
    .executeTakeFirstOrThrow()
  return row.count
}

/** The videos of `videoIds` that have arrived from the catalogue. */
export async function findVideos(db: Store, videoIds: readonly string[]): Promise<Map<string, VideoRow>> {
  const rows = await db
    .selectFrom('videos')
    .selectAll()
    .where('id', '=', sql<string>`any(${videoIds}::uuid[])`)
    .where('removedAt', 'is', null)
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/**
 * Like {@link findVideos}, with a lock: no video of them is removed from the library before the transaction ends.
 * Otherwise it would stay in the playlist.
 */
export async function lockVideos(trx: Trx, videoIds: readonly string[]): Promise<Map<string, VideoRow>> {
  const rows = await trx
    .selectFrom('videos')
    .selectAll()
    .where('id', '=', sql<string>`any(${videoIds}::uuid[])`)
    .where('removedAt', 'is', null)
    .orderBy('id')
    .forShare()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** Appends videos in the given order. */
export async function insertItems(
  trx: Trx,
  channelId: string,
  videoIds: readonly string[],
  createdBy: string | null,
): Promise<PlaylistItemRow[]> {
  const added = videoIds.map((videoId) => ({ itemId: newId(), videoId }))
  return insertNamedItems(trx, channelId, added, createdBy)
}

/** Like {@link insertItems} with given item ids. An id that a playlist already has is skipped. */
export async function insertNamedItems(
  trx: Trx,
  channelId: string,
  added: readonly { itemId: string; videoId: string }[],
  createdBy: string | null,
): Promise<PlaylistItemRow[]> {
  if (added.length === 0) return []
  const ids = added.map(({ itemId }) => itemId)
  const videoIds = added.map(({ videoId }) => videoId)
  const { rows } = await sql<PlaylistItemRow>`
    insert into channel_playlists (id, channel_id, video_id, position, created_by)
    select n.id, ${channelId}, n.video_id, last.position + n.ordinal * ${GAP}::bigint, ${createdBy}
    from unnest(${ids}::uuid[], ${videoIds}::uuid[]) with ordinality as n (id, video_id, ordinal),
         (select coalesce(max(position), ${-GAP}::bigint) as position from channel_playlists where channel_id = ${channelId}) last
    on conflict (id) do nothing
    returning id, channel_id, video_id, position`.execute(trx)
  return rows.toSorted((a, b) => a.position - b.position)
}

/** Removes an item and returns its video's id; undefined if the playlist has no such item. */
export async function deleteItem(trx: Trx, channelId: string, itemId: string): Promise<string | undefined> {
  const row = await trx
    .deleteFrom('channelPlaylists')
    .where('channelId', '=', channelId)
    .where('id', '=', itemId)
    .returning('videoId')
    .executeTakeFirst()
  return row?.videoId
}

/** Deletes these items of a channel's playlist. Returns their videos. */
export async function deleteItemsById(
  trx: Trx,
  channelId: string,
  itemIds: readonly string[],
): Promise<string[]> {
  const rows = await trx
    .deleteFrom('channelPlaylists')
    .where('channelId', '=', channelId)
    .where('id', '=', sql<string>`any(${[...itemIds]}::uuid[])`)
    .returning('videoId')
    .execute()
  return rows.map(({ videoId }) => videoId)
}

/** Empties a channel's playlist. Returns the number of items it had. */
export async function deleteItems(trx: Trx, channelId: string): Promise<number> {
  const result = await trx
    .deleteFrom('channelPlaylists')
    .where('channelId', '=', channelId)
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}

/** A hash of a playlist's items, their videos and their order. */
export async function readVersion(db: Store, channelId: string): Promise<string> {
  const { rows } = await sql<{ version: string | null }>`
    select left(encode(sha256(
      string_agg(uuid_send(id) || uuid_send(video_id), ''::bytea order by position, id)), 'hex'), 32) as version
    from channel_playlists where channel_id = ${channelId}`.execute(db)
  return rows[0]?.version ?? 'empty'
}

/** All items of a playlist in its order, with their videos and positions. */
export async function readOrder(
  db: Store,
  channelId: string,
): Promise<Pick<PlaylistItemRow, 'id' | 'videoId' | 'position'>[]> {
  return db
    .selectFrom('channelPlaylists')
    .select(['id', 'videoId', 'position'])
    .where('channelId', '=', channelId)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** All items of a playlist in its order, with their videos. */
export async function readEntries(
  db: Store,
  channelId: string,
): Promise<{ itemId: string; videoId: string }[]> {
  return db
    .selectFrom('channelPlaylists')
    .select(['id as itemId', 'videoId'])
    .where('channelId', '=', channelId)
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Sets the positions of items in one statement. */
export async function updatePositions(
  trx: Trx,
  moves: readonly Pick<PlaylistItemRow, 'id' | 'position'>[],
): Promise<void> {
  if (moves.length === 0) return
  await sql`
    update channel_playlists p set position = m.position
    from unnest(${moves.map((m) => m.id)}::uuid[], ${moves.map((m) => m.position)}::bigint[]) as m (id, position)
    where p.id = m.id`.execute(trx)
}
