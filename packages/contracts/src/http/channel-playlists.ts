import { type Static, Type } from 'typebox'
import { ChannelId, Cursor, Nullable, Page, strict, Uuid } from '../common.ts'
import { ProgrammeVideo } from './channels.ts'

/** A row of a channel's playlist. `position` counts from 0. */
export const ChannelPlaylistItem = Type.Object({
  id: Uuid,
  videoId: Uuid,
  position: Type.Integer({ minimum: 0 }),
  video: Nullable(ProgrammeVideo),
})
export type ChannelPlaylistItem = Static<typeof ChannelPlaylistItem>
export const ChannelPlaylistPage = Page(ChannelPlaylistItem)
export type ChannelPlaylistPage = Static<typeof ChannelPlaylistPage>
/**
 * GET /api/channels/:id/playlist and GET /api/live-playlist. Up to 1,000 rows a page, because the editor loads the whole
 * playlist (up to {@link MAX_PLAYLIST_ITEMS}) before it shows a row.
 */
export const ChannelPlaylistQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
    cursor: Type.Optional(Cursor),
  },
  strict,
)
/** POST /api/channels/:id/playlist: appends, or inserts at `position` (from 0). */
export const AddChannelVideosBody = Type.Object(
  {
    videoIds: Type.Array(Uuid, { minItems: 1, maxItems: 500 }),
    position: Type.Optional(Type.Integer({ minimum: 0, maximum: 10_000 })),
  },
  strict,
)
/** The added items, in the requested order. */
export const AddChannelVideosResult = Type.Object({ items: Type.Array(ChannelPlaylistItem) })
export type AddChannelVideosResult = Static<typeof AddChannelVideosResult>
/** Maximum items of a channel's playlist. */
export const MAX_PLAYLIST_ITEMS = 10_000
/** PUT /api/channels/:id/playlist/order: all item ids of the playlist in their new order; 409 if others were added or removed. */
export const ChannelOrderBody = Type.Object(
  { itemIds: Type.Array(Uuid, { minItems: 1, maxItems: 10_000, uniqueItems: true }) },
  strict,
)
/** Maximum items that one {@link SavePlaylistBody} adds. */
const MAX_ADDED_ITEMS = 2_000
/**
 * PUT /api/channels/:id/playlist: replaces the playlist. `itemIds` contains all items in order; missing items of the
 * current playlist are removed. `added` contains the video of each new item, with an item id chosen by the client, so that
 * a repeated request adds nothing twice. 409 if an item is neither in the current playlist nor in `added`.
 */
export const SavePlaylistBody = Type.Object(
  {
    itemIds: Type.Array(Uuid, { maxItems: MAX_PLAYLIST_ITEMS, uniqueItems: true }),
    added: Type.Optional(
      Type.Array(Type.Object({ itemId: Uuid, videoId: Uuid }, strict), { maxItems: MAX_ADDED_ITEMS }),
    ),
  },
  strict,
)
export type SavePlaylistBody = Static<typeof SavePlaylistBody>
/** Numbers of added, removed and moved items. */
export const SavePlaylistResult = Type.Object({
  added: Type.Integer({ minimum: 0 }),
  removed: Type.Integer({ minimum: 0 }),
  moved: Type.Integer({ minimum: 0 }),
})
export type SavePlaylistResult = Static<typeof SavePlaylistResult>
export const ChannelItemParams = Type.Object({ id: ChannelId, itemId: Uuid }, strict)

/** DELETE /api/channels/:id/playlist: removes these items; missing ones are ignored. */
export const RemoveChannelItemsBody = Type.Object(
  { itemIds: Type.Array(Uuid, { minItems: 1, maxItems: MAX_PLAYLIST_ITEMS, uniqueItems: true }) },
  strict,
)
/** DELETE /api/live-playlist and DELETE /api/channels/:id/playlist: number of removed items. */
export const RemoveItemsResult = Type.Object({ removed: Type.Integer({ minimum: 0 }) })

/** GET /api/live-playlist/readiness (admin): which of these videos the scheduler has received, so that they can be added to a channel. */
export const VideoReadiness = Type.Object({ readyIds: Type.Array(Uuid) })
export type VideoReadiness = Static<typeof VideoReadiness>
