import type { ChannelPlaylistItem } from '@looptide/contracts/http/channel-playlists'
import {
  streamLivePlaylistAdd,
  streamLivePlaylistClear,
  streamLivePlaylistList,
  streamPlaylistAdd,
  streamPlaylistList,
  streamPlaylistOrder,
  streamPlaylistRemove,
  streamPlaylistRemoveMany,
  streamPlaylistSave,
  streamVideoCheckReadiness,
} from '@looptide/contracts/operations/stream/playlists'
import { decodeCursor, encodeCursor } from '@looptide/service-kit/http/cursor'
import { answer, type Route, route } from '@looptide/service-kit/routes/route'
import type { Kysely } from 'kysely'
import type { Database, Store } from '../db/schema.ts'
import { videoIdsOf } from '../library/video-ids.ts'
import { DEFAULT_CHANNEL_ID } from '../timeline/rules.ts'
import { findVideos, listItems, readVersion } from './playlist-repository.ts'
import { etagOf, type PlaylistService, presentItem } from './playlist-service.ts'

/** Routes of the playlists of channels. */
export const playlistRoutes = ({
  db,
  playlists,
}: {
  db: Kysely<Database>
  playlists: PlaylistService
}): Route[] => [
  route(streamPlaylistList, async ({ params: { id }, reply, query }) => {
    // The ETag is read before the page: after a change in between it is outdated, and a write with it is refused.
    reply.header('etag', etagOf(await readVersion(db, id)))
    return playlistPage(db, id, query)
  }),
  route(streamPlaylistAdd, async ({ params, body: { videoIds, position }, expected, cause }) => ({
    items: await playlists.add(params.id, videoIds, cause, { position, expected }),
  })),
  route(streamPlaylistRemove, ({ params, cause, expected }) =>
    playlists.remove(params.id, params.itemId, cause, expected),
  ),
  route(streamPlaylistRemoveMany, async ({ params, body, expected, cause }) => ({
    removed: await playlists.removeItems(params.id, body.itemIds, cause, expected),
  })),
  route(streamPlaylistOrder, ({ params, body, cause, expected }) =>
    playlists.order(params.id, body.itemIds, cause, expected),
  ),
  route(streamPlaylistSave, async ({ params, body, cause, expected }) => {
    const { version, ...saved } = await playlists.save(params.id, body, cause, expected)
    return answer(200, saved, { etag: etagOf(version) })
  }),
  route(streamLivePlaylistList, ({ query }) => playlistPage(db, DEFAULT_CHANNEL_ID, query)),
  route(streamLivePlaylistAdd, async ({ body, cause }) => ({
    items: await playlists.add(DEFAULT_CHANNEL_ID, body.videoIds, cause),
  })),
  route(streamLivePlaylistClear, async ({ cause }) => ({
    removed: await playlists.clear(DEFAULT_CHANNEL_ID, cause),
  })),
  route(streamVideoCheckReadiness, async ({ query }) => {
    return { readyIds: [...(await findVideos(db, videoIdsOf(query.ids))).keys()] }
  }),
]

/** A page of a channel's playlist. Its positions are indexes from 0; the stored positions are sort keys with gaps. */
async function playlistPage(
  db: Store,
  channelId: string,
  { limit = 100, cursor }: { limit?: number; cursor?: string },
): Promise<{ items: ChannelPlaylistItem[]; nextCursor: string | null }> {
  const [firstIndex, position, id] =
    cursor === undefined ? [0, 0, ''] : decodeCursor(cursor, ['number', 'number', 'string'])
  const after = cursor === undefined ? null : { position, id }
  const { items, videos } = await listItems(db, channelId, after, limit)
  const page = items.slice(0, limit)
  const last = page.at(-1)
  return {
    items: page.map((item, index) => presentItem(item, firstIndex + index, videos.get(item.videoId))),
    nextCursor:
      items.length > limit && last !== undefined
        ? encodeCursor([firstIndex + page.length, last.position, last.id])
        : null,
  }
}
