import { type Static, Type } from 'typebox'
import { Nullable, strict, Uuid, VideoCategory } from '../common.ts'
import { VideoIdsBody } from './videos.ts'

const Artist = Type.String({ maxLength: 200 })
const Genre = Type.String({ maxLength: 100 })

/**
 * PATCH /api/videos/:id (admin). Missing fields are not changed.
 *
 * - `artistName`: blank means unknown; metadata may fill it in again.
 * - `genre`: blank means none.
 * - `thumbnailUrl`: a path of this site, or an https URL of YouTube's image host or of one of `IMAGE_ORIGINS`. Null means
 *   the video's default thumbnail.
 *
 * Metadata does not overwrite a title, artist or thumbnail set here. Send the `ETag` of `GET /api/videos/:id` as
 * `If-Match`: 412 `precondition_failed` if another user has changed one of these fields.
 */
export const EditVideoBody = Type.Object(
  {
    title: Type.Optional(Type.String({ minLength: 1, maxLength: 300 })),
    artistName: Type.Optional(Artist),
    genre: Type.Optional(Genre),
    category: Type.Optional(VideoCategory),
    thumbnailUrl: Type.Optional(Nullable(Type.String({ minLength: 1, maxLength: 2048 }))),
  },
  { ...strict, minProperties: 1 },
)
export type EditVideoBody = Static<typeof EditVideoBody>

/** Fields of a bulk edit, as in {@link EditVideoBody}. */
export const BulkFields = Type.Object(
  {
    artistName: Type.Optional(Artist),
    genre: Type.Optional(Genre),
    category: Type.Optional(VideoCategory),
  },
  { ...strict, minProperties: 1 },
)
export type BulkFields = Static<typeof BulkFields>

/**
 * PATCH /api/videos (admin): sets the same fields of up to 500 videos. The requests of one edit share an `editId` chosen by
 * the client: `POST /api/videos/edits/:id/undo` undoes them together.
 */
export const EditVideosBody = Type.Object(
  { ids: VideoIdsBody.properties.ids, fields: BulkFields, editId: Uuid },
  strict,
)
export type EditVideosBody = Static<typeof EditVideosBody>

/** POST /api/videos/edit-preview (admin): what such a request would change; nothing is written. */
export const EditPreviewBody = Type.Object({ ids: VideoIdsBody.properties.ids, fields: BulkFields }, strict)
export type EditPreviewBody = Static<typeof EditPreviewBody>

/** Number of videos that would change, and per field and previous value. */
export const EditPreview = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  changes: Type.Array(
    Type.Object({
      field: Type.Union([Type.Literal('artistName'), Type.Literal('genre'), Type.Literal('category')]),
      from: Nullable(Type.String()),
      count: Type.Integer({ minimum: 1 }),
    }),
  ),
})
export type EditPreview = Static<typeof EditPreview>

/** Minutes during which a bulk edit can be undone. */
export const UNDO_EDIT_MINUTES = 60

/**
 * POST /api/videos/edits/:id/undo (admin): restores up to 500 videos of an edit. Videos changed since then are `skipped`.
 * Repeat the request while `isMore`.
 */
export const UndoEditResult = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  skipped: Type.Integer({ minimum: 0 }),
  isMore: Type.Boolean(),
})
export type UndoEditResult = Static<typeof UndoEditResult>
