import { type Static, Type } from 'typebox'
import { Nullable, strict, Uuid, VideoCategory } from '../common.ts'
import { VideoIdsBody } from './videos.ts'

const Artist = Type.String({ maxLength: 200 })
const Genre = Type.String({ maxLength: 100 })

/**
 * PATCH /api/videos/:id (admin): fields that are left out stay as they are.
 *
 * - `artistName`: blank means unknown; metadata may fill it in again.
 * - `genre`: blank means none.
 * - `thumbnailUrl`: a path of this site, or an https address of YouTube's pictures or of one of `IMAGE_ORIGINS`. Null
 *   means the video's own picture.
 *
 * Title, artist and thumbnail that were set here are not replaced by metadata. Send the `ETag` of `GET /api/videos/:id`
 * as `If-Match`: 412 `precondition_failed` when somebody changed one of these fields meanwhile.
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

/** The fields that many videos can be given at once, as in {@link EditVideoBody}. */
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
 * PATCH /api/videos (admin): gives up to 500 videos the same fields. The requests of one edit share an `editId`, which
 * the client chooses: `POST /api/videos/edits/:id/undo` undoes them.
 */
export const EditVideosBody = Type.Object(
  { ids: VideoIdsBody.properties.ids, fields: BulkFields, editId: Uuid },
  strict,
)
export type EditVideosBody = Static<typeof EditVideosBody>

/** POST /api/videos/edit-preview (admin): what such a request would change. Nothing is written. */
export const EditPreviewBody = Type.Object({ ids: VideoIdsBody.properties.ids, fields: BulkFields }, strict)
export type EditPreviewBody = Static<typeof EditPreviewBody>

/** How many videos would be changed, and for each field how many from which value. */
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

/** How long an edit of many videos can be undone. */
export const UNDO_EDIT_MINUTES = 60

/**
 * POST /api/videos/edits/:id/undo (admin): gives up to 500 videos of an edit what they had before. Those that were
 * changed since are `skipped`. Repeat the request while `isMore`.
 */
export const UndoEditResult = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  skipped: Type.Integer({ minimum: 0 }),
  isMore: Type.Boolean(),
})
export type UndoEditResult = Static<typeof UndoEditResult>
