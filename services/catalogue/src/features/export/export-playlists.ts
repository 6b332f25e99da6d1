import type { Db } from '@looptide/service-kit/db/db'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import type { Database } from '../../db/schema.ts'

/** Playlists of a page. Each has at most 1,000 entries. */
const PAGE_SIZE = 20
export const FIRST_ID = '00000000-0000-0000-0000-000000000000'

/** One page of playlists, and one more if there is a next page. */
export const playlistsOf = (db: Db<Database>, userId: string, afterId: string) =>
  db
    .selectFrom('youtubePlaylists')
    .select(['id', 'name', 'description', 'isPublic', 'isActive', 'createdAt'])
    .where('userId', '=', userId)
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(PAGE_SIZE + 1)
    .execute()

/** The entries of several playlists, in their order. */
export const entriesOf = (db: Db<Database>, playlistIds: readonly string[]) =>
  db
    .selectFrom('youtubePlaylistItems as item')
    .innerJoin('videos as video', 'video.id', 'item.videoId')
    .select([
      'item.playlistId',
      'video.id as videoId',
      'video.title',
      'video.artistName',
      'video.videoUrl as url',
    ])
    .where('item.playlistId', 'in', playlistIds)
    .orderBy('item.playlistId')
    .orderBy('item.position')
    .orderBy('item.id')
    .execute()

/** One page of a user's playlists with their entries. Errors: `invalid_cursor`. */
export async function readPlaylists(db: Db<Database>, userId: string, cursor?: string) {
  const [afterId] = cursor === undefined ? [FIRST_ID] : decodeCursor(cursor, ['string'])
  const playlists = await playlistsOf(db, userId, afterId)
  const ids = playlists.slice(0, PAGE_SIZE).map(({ id }) => id)
  const entries = Map.groupBy(ids.length === 0 ? [] : await entriesOf(db, ids), (row) => row.playlistId)
  return toPage(
    playlists,
    PAGE_SIZE,
    ({ isActive, createdAt, ...playlist }) => ({
      ...playlist,
      isDeleted: !isActive,
      createdAt: createdAt.toISOString(),
      entries: (entries.get(playlist.id) ?? []).map(({ playlistId: _, ...entry }) => entry),
    }),
    ({ id }) => [id],
  )
}
