import { PLACEHOLDER_TITLE } from '@looptide/contracts/http/videos'
import { type SqlBool, sql } from 'kysely'
import type { PlaylistRow, Queries, VideoRow } from '../../db/schema.ts'
import { positionAndId, timeAndId } from '../shared/cursor-keys.ts'

/** Maximum items of a playlist. */
export const MAX_ITEMS = 1000

export interface ItemRow {
  id: string
  position: number
  video: VideoRow
}

/** One page and one extra row of a user's playlists, newest first. */
export function listPlaylists(
  db: Queries,
  options: { userId: string; publicOnly: boolean; limit: number; cursor?: string | undefined },
): Promise<PlaylistRow[]> {
  let query = db
    .selectFrom('youtubePlaylists')
    .selectAll()
    .where('isActive', '=', true)
    .where('userId', '=', options.userId)
    .orderBy('createdAt', 'desc')
    .orderBy('id', 'desc')
    .limit(options.limit + 1)
  if (options.publicOnly) query = query.where('isPublic', '=', true)
  if (options.cursor !== undefined) {
    const { at, id } = timeAndId(options.cursor)
    query = query.where(sql<SqlBool>`(created_at, id) < (${at}, ${id}::uuid)`)
  }
  return query.execute()
}

/** A playlist that was not deleted. */
export async function findPlaylist(db: Queries, id: string): Promise<PlaylistRow | undefined> {
  return activePlaylist(db, id).executeTakeFirst()
}

/** Finds a playlist and locks it until the transaction ends. Positions are assigned under this lock. */
export async function lockPlaylist(db: Queries, id: string): Promise<PlaylistRow | undefined> {
  return activePlaylist(db, id).forUpdate().executeTakeFirst()
}

/**
 * Prevents the deletion of a video until the transaction ends. Call it before {@link lockPlaylist}: a deletion locks the
 * video first and the playlists that contain it afterwards, and the other order would be a deadlock.
 */
export async function lockVideo(db: Queries, id: string): Promise<void> {
  await db.selectFrom('videos').select('id').where('id', '=', id).forKeyShare().execute()
}

const activePlaylist = (db: Queries, id: string) =>
  db.selectFrom('youtubePlaylists').selectAll().where('id', '=', id).where('isActive', '=', true)

/** Number of a user's playlists that were not deleted. */
export async function countPlaylists(db: Queries, userId: string): Promise<number> {
  const row = await db
    .selectFrom('youtubePlaylists')
    .select((eb) => eb.fn.countAll<number>().as('playlists'))
    .where('userId', '=', userId)
    .where('isActive', '=', true)
    .executeTakeFirstOrThrow()
  return row.playlists
}

/**
 * The number of videos under review in each of a user's playlists. Such videos are the user's own submissions, so the
 * query starts from these instead of from all items.
 */
export async function countUnderReview(
  db: Queries,
  userId: string,
  playlistIds: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db
    .selectFrom('submitters')
    .innerJoin('videos as video', 'video.id', 'submitters.videoId')
    .innerJoin('youtubePlaylistItems as item', 'item.videoId', 'video.id')
    .select((eb) => ['item.playlistId', eb.fn.countAll<number>().as('items')])
    .where('submitters.userId', '=', userId)
    .where('video.reviewState', 'is not', null)
    .where('item.playlistId', '=', sql<string>`any(${[...playlistIds]}::uuid[])`)
    .groupBy('item.playlistId')
    .execute()
  return new Map(rows.map((row) => [row.playlistId, row.items]))
}

/** Stores an empty playlist. */
export function insertPlaylist(
  db: Queries,
  playlist: Pick<PlaylistRow, 'id' | 'name' | 'description' | 'userId'>,
): Promise<PlaylistRow> {
  return db.insertInto('youtubePlaylists').values(playlist).returningAll().executeTakeFirstOrThrow()
}

/** Changes a playlist, which must exist. */
export function updatePlaylist(
  db: Queries,
  id: string,
  change: Partial<Omit<PlaylistRow, 'id' | 'userId' | 'createdAt' | 'itemCount'>>,
): Promise<PlaylistRow> {
  return db
    .updateTable('youtubePlaylists')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Finds and locks the user's default playlist; creates it if there is none. */
export async function lockDefaultPlaylist(
  db: Queries,
  playlist: Pick<PlaylistRow, 'id' | 'name' | 'userId'>,
): Promise<PlaylistRow> {
  await db
    .insertInto('youtubePlaylists')
    .values({ ...playlist, description: null, isDefault: true })
    .onConflict((conflict) =>
      conflict.column('userId').where('isDefault', '=', true).where('isActive', '=', true).doNothing(),
    )
    .execute()
  return db
    .selectFrom('youtubePlaylists')
    .selectAll()
    .where('userId', '=', playlist.userId)
    .where('isDefault', '=', true)
    .where('isActive', '=', true)
    .forUpdate()
    .executeTakeFirstOrThrow()
}

/** One page and one extra row, by position. Videos under review are the owner's own submissions. */
export async function listItems(
  db: Queries,
  playlistId: string,
  options: {
    limit: number
    cursor?: string | undefined
    /** Includes private videos and ones without a title. */
    includePrivate: boolean
    /** Includes videos under review and ones without a title. */
    isOwner: boolean
  },
): Promise<ItemRow[]> {
  const { limit, cursor, includePrivate, isOwner } = options
  let query = db
    .selectFrom('youtubePlaylistItems as item')
    .innerJoin('videos as video', 'video.id', 'item.videoId')
    .select(['item.id', 'item.position', 'item.videoId'])
    .where('item.playlistId', '=', playlistId)
    .where((eb) =>
      eb.or([
        isOwner
          ? eb('video.isPublic', '=', true)
          : eb.and([eb('video.isPublic', '=', true), eb('video.title', '<>', PLACEHOLDER_TITLE)]),
        ...(includePrivate ? [eb('video.reviewState', 'is', null)] : []),
        ...(isOwner ? [eb('video.reviewState', 'is not', null)] : []),
      ]),
    )
    .orderBy('item.position')
    .orderBy('item.id')
    .limit(limit + 1)
  if (cursor !== undefined) {
    const { position, id } = positionAndId(cursor)
    query = query.where(sql<SqlBool>`(item.position, item.id) > (${position}, ${id}::uuid)`)
  }
  const items = await query.execute()
  if (items.length === 0) return []
  const ids = [...new Set(items.map((item) => item.videoId))]
  const videos = await db
    .selectFrom('videos')
    .selectAll()
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
  const byId = new Map(videos.map((video) => [video.id, video]))
  return items.flatMap(({ id, position, videoId }) => {
    const video = byId.get(videoId)
    return video === undefined ? [] : [{ id, position, video }]
  })
}

/** The first item of a video in a playlist. */
export function findItem(
  db: Queries,
  playlistId: string,
  videoId: string,
): Promise<{ id: string; position: number } | undefined> {
  return db
    .selectFrom('youtubePlaylistItems')
    .select(['id', 'position'])
    .where('playlistId', '=', playlistId)
    .where('videoId', '=', videoId)
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
}

/** The items of a video in a user's playlists. Starts from the user's playlists, as a video may be in many others. */
export function findEntries(
  db: Queries,
  userId: string,
  videoId: string,
): Promise<{ playlistId: string; itemId: string }[]> {
  return db
    .selectFrom('youtubePlaylists as playlist')
    .innerJoin('youtubePlaylistItems as item', 'item.playlistId', 'playlist.id')
    .select(['playlist.id as playlistId', 'item.id as itemId'])
    .where('playlist.userId', '=', userId)
    .where('playlist.isActive', '=', true)
    .where('item.videoId', '=', videoId)
    .limit(1000)
    .execute()
}

/** Shifts the items from `position` on by one, to insert another. */
export async function shiftItemsFrom(db: Queries, playlistId: string, position: number): Promise<void> {
  await db
    .updateTable('youtubePlaylistItems')
    .set((eb) => ({ position: eb('position', '+', 1) }))
    .where('playlistId', '=', playlistId)
    .where('position', '>=', position)
    .execute()
}

/** Appends a video to a playlist at a position that the caller has locked. */
export function insertItem(
  db: Queries,
  item: { id: string; playlistId: string; videoId: string; addedBy: string; position: number },
): Promise<{ id: string; position: number }> {
  return db
    .insertInto('youtubePlaylistItems')
    .values(item)
    .returning(['id', 'position'])
    .executeTakeFirstOrThrow()
}

/** The position after the last item; 0 for an empty playlist. */
export async function nextPosition(db: Queries, playlistId: string): Promise<number> {
  const last = await db
    .selectFrom('youtubePlaylistItems')
    .select((eb) => eb.fn.max('position').as('position'))
    .where('playlistId', '=', playlistId)
    .executeTakeFirst()
  return last?.position == null ? 0 : Number(last.position) + 1
}

/** Removes an item. False if the playlist has no such item. */
export async function deleteItem(db: Queries, playlistId: string, itemId: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('youtubePlaylistItems')
    .where('playlistId', '=', playlistId)
    .where('id', '=', itemId)
    .returning('id')
    .executeTakeFirst()
  return deleted !== undefined
}

/** The ids of a playlist's items, in no particular order. */
export async function itemIds(db: Queries, playlistId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('youtubePlaylistItems')
    .select('id')
    .where('playlistId', '=', playlistId)
    .execute()
  return rows.map((row) => row.id)
}

/** Assigns the positions 0, 1, 2 … in this order. */
export async function setOrder(db: Queries, playlistId: string, ids: readonly string[]): Promise<void> {
  await sql`
    update youtube_playlist_items item set position = ordered.n - 1
    from unnest(${[...ids]}::uuid[]) with ordinality as ordered (id, n)
    where item.id = ordered.id and item.playlist_id = ${playlistId}`.execute(db)
}
