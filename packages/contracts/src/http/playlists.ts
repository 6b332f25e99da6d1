import { type Static, Type } from 'typebox'
import { Instant, Nullable, Page, PageQuery, strict, Uuid } from '../common.ts'
import { Line, Paragraph } from '../text-fields.ts'
import { Video } from './videos.ts'

/** What is repeated: nothing, the current video, or the whole playlist. */
export const LoopMode = Type.Union([Type.Literal('off'), Type.Literal('single'), Type.Literal('playlist')])
export type LoopMode = Static<typeof LoopMode>

/** Initial name of a user's default playlist. */
export const DEFAULT_PLAYLIST_NAME = 'My List'

/** `isDefault`: the playlist that "Add to List" adds to. A user has at most one. */
export const Playlist = Type.Object({
  id: Uuid,
  name: Type.String(),
  description: Nullable(Type.String()),
  userId: Uuid,
  shuffleMode: Type.Boolean(),
  loopMode: LoopMode,
  autoAdvance: Type.Boolean(),
  isPublic: Type.Boolean(),
  isDefault: Type.Boolean(),
  itemCount: Type.Integer(),
  createdAt: Instant,
})
export type Playlist = Static<typeof Playlist>
export const PlaylistPage = Page(Playlist)
export type PlaylistPage = Static<typeof PlaylistPage>

export const CreatePlaylistBody = Type.Object(
  {
    name: Line({ minLength: 1, maxLength: 200, pattern: '\\S' }),
    description: Type.Optional(Nullable(Paragraph({ maxLength: 2000 }))),
  },
  strict,
)
export type CreatePlaylistBody = Static<typeof CreatePlaylistBody>
export const UpdatePlaylistBody = Type.Object(
  {
    name: Type.Optional(Line({ minLength: 1, maxLength: 200, pattern: '\\S' })),
    description: Type.Optional(Nullable(Paragraph({ maxLength: 2000 }))),
    shuffleMode: Type.Optional(Type.Boolean()),
    loopMode: Type.Optional(LoopMode),
    autoAdvance: Type.Optional(Type.Boolean()),
    isPublic: Type.Optional(Type.Boolean()),
  },
  { ...strict, minProperties: 1 },
)
export type UpdatePlaylistBody = Static<typeof UpdatePlaylistBody>

/** GET /api/playlists: the caller's playlists, or with `userId` the public ones of that user. */
export const ListPlaylistsQuery = Type.Object(
  { ...PageQuery.properties, userId: Type.Optional(Uuid) },
  strict,
)

/** One entry of a playlist; `position` counts from 0. */
export const PlaylistItem = Type.Object({ id: Uuid, position: Type.Integer(), video: Video })
export type PlaylistItem = Static<typeof PlaylistItem>
export const PlaylistItemPage = Page(PlaylistItem)
export type PlaylistItemPage = Static<typeof PlaylistItemPage>
export const PlaylistItemParams = Type.Object({ id: Uuid, itemId: Uuid }, strict)

/** POST /api/playlists/:id/items: adds to the end, or inserts at `position`. */
export const AddPlaylistItemBody = Type.Object(
  { videoId: Uuid, position: Type.Optional(Type.Integer({ minimum: 0, maximum: 100_000 })) },
  strict,
)

/** PUT /api/playlists/:id/videos/:videoId; `default` is the user's default playlist. */
export const PlaylistVideoParams = Type.Object(
  { id: Type.Union([Uuid, Type.Literal('default')]), videoId: Uuid },
  strict,
)
/** The video's entry. `added` is false if the playlist already contained the video. */
export const EnsureVideoResult = Type.Object({
  playlist: Playlist,
  item: PlaylistItem,
  added: Type.Boolean(),
})
export type EnsureVideoResult = Static<typeof EnsureVideoResult>

/** GET /api/playlists/entries: the entries of a video in the caller's playlists. */
export const PlaylistEntriesQuery = Type.Object({ videoId: Uuid }, strict)
export const PlaylistEntries = Type.Object({
  items: Type.Array(Type.Object({ playlistId: Uuid, itemId: Uuid })),
})
export type PlaylistEntries = Static<typeof PlaylistEntries>

/** All entries in their new order. */
export const OrderBody = Type.Object(
  { ids: Type.Array(Uuid, { minItems: 1, maxItems: 1000, uniqueItems: true }) },
  strict,
)
