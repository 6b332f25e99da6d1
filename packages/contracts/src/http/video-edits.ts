import { type Static, Type } from 'typebox'
import { Nullable, strict, VideoCategory } from '../common.ts'

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
