import { Type } from 'typebox'
import { Nullable, Uuid } from './common.ts'
import { ListProblemCode } from './http/followed-lists.ts'

/** Maximum items of a YouTube playlist per event. */
export const MAX_ITEMS_PER_EVENT = 500
/** Items of one page of YouTube's Data API. */
const PAGE_OF_ITEMS = 50

/**
 * Requests the items of a followed list. `playlistId` and `etag` are null for the whole list with its title. Otherwise only
 * changes are read: nothing if YouTube still returns `etag`, and of a channel only the pages before `newestIds`.
 */
export const PlaylistRequested = Type.Object({
  listId: Uuid,
  kind: Type.Union([
    Type.Literal('playlist'),
    Type.Literal('channel'),
    Type.Literal('handle'),
    Type.Literal('user'),
  ]),
  /** The id of the playlist or channel, a handle or a user name, by `kind`. */
  id: Type.String({ maxLength: 128 }),
  playlistId: Nullable(Type.String({ maxLength: 128 })),
  etag: Nullable(Type.String({ maxLength: 256 })),
  newestIds: Type.Array(Type.String(), { maxItems: PAGE_OF_ITEMS }),
})

/**
 * Items of a followed list, in its order: one event per {@link MAX_ITEMS_PER_EVENT} items, without gaps.
 * `title` and `itemCount` are null if they were not read.
 */
export const PlaylistRead = Type.Object({
  listId: Uuid,
  playlistId: Type.String({ maxLength: 128 }),
  title: Nullable(Type.String()),
  itemCount: Nullable(Type.Integer({ minimum: 0 })),
  youtubeIds: Type.Array(Type.String(), { maxItems: MAX_ITEMS_PER_EVENT }),
  isLast: Type.Boolean(),
  /** The whole list was read. */
  isFull: Type.Boolean(),
  /** For the next request. */
  etag: Nullable(Type.String({ maxLength: 256 })),
  newestIds: Type.Array(Type.String(), { maxItems: PAGE_OF_ITEMS }),
})

/** A followed list could not be read. `continuesAtMs`: when another attempt can succeed; null if unknown. */
export const PlaylistFailed = Type.Object({
  listId: Uuid,
  code: ListProblemCode,
  message: Type.String({ maxLength: 500 }),
  continuesAtMs: Nullable(Type.Integer()),
})
