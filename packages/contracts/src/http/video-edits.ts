import { type Static, Type } from 'typebox'
import { Nullable, strict, VideoCategory } from '../common.ts'
import { Address, Fragment, Line } from '../text-fields.ts'
import { MAX_TAGS, MediaPosition, Tag, Tags } from './videos.ts'

const Artist = Line({ maxLength: 200 })
const Genre = Line({ maxLength: 100 })

/**
 * PATCH /api/videos/:id (admin). Missing fields are not changed.
 *
 * - `artistName`: blank means unknown; metadata may fill it in again.
 * - `genre`: blank means none.
 * - `thumbnailUrl`: a path of this site, or an https URL of YouTube's image host or of one of `IMAGE_ORIGINS`. Null means
 *   the video's default thumbnail.
 * - `tags`: replaces all tags. Of tags that differ only in case, the first one counts.
 * - `startAtMs`, `endAtMs`: trim points, at least a second apart. If the duration of the media is known, they must lie in
 *   it.
 *
 * Metadata does not overwrite a title, artist or thumbnail set here. Send the `ETag` of `GET /api/videos/:id` as
 * `If-Match`: 412 `precondition_failed` if another user has changed one of these fields.
 */
export const EditVideoBody = Type.Object(
  {
    title: Type.Optional(Line({ minLength: 1, maxLength: 300 })),
    artistName: Type.Optional(Artist),
    genre: Type.Optional(Genre),
    category: Type.Optional(VideoCategory),
    thumbnailUrl: Type.Optional(Nullable(Address({ minLength: 1, maxLength: 2048 }))),
    tags: Type.Optional(Tags),
    startAtMs: Type.Optional(MediaPosition),
    endAtMs: Type.Optional(Nullable(MediaPosition)),
  },
  { ...strict, minProperties: 1 },
)
export type EditVideoBody = Static<typeof EditVideoBody>

const BulkTags = Type.Array(Tag, { minItems: 1, maxItems: MAX_TAGS })

/** Each occurrence of `text` in a title, in any case, is replaced by `with`. */
const TitleReplacement = Type.Object(
  {
    text: Fragment({ minLength: 1, maxLength: 300, pattern: '\\S' }),
    with: Fragment({ maxLength: 300 }),
  },
  strict,
)
export type TitleReplacement = Static<typeof TitleReplacement>

/**
 * Fields of a bulk edit, as in {@link EditVideoBody}; tags are added and removed. In titles a text is replaced, because no
 * two videos should have the same title. A video that would have more than 20 tags keeps its tags, and one whose title
 * would be blank or longer than 300 characters, or is not known yet, keeps its title.
 */
export const BulkFields = Type.Object(
  {
    artistName: Type.Optional(Artist),
    genre: Type.Optional(Genre),
    category: Type.Optional(VideoCategory),
    addTags: Type.Optional(BulkTags),
    removeTags: Type.Optional(BulkTags),
    replaceInTitle: Type.Optional(TitleReplacement),
  },
  { ...strict, minProperties: 1 },
)
export type BulkFields = Static<typeof BulkFields>

/** Number of changed titles in an {@link EditPreview} that are listed. */
export const TITLE_EXAMPLES = 5

/**
 * Number of videos that would change, and per field and previous value. For edits of tags, `tags` is the number of videos
 * that would get or lose each tag, and `fullCount` that of videos that keep their tags because they would have too many.
 * For edits of titles, `titles.count` is the number of titles that would change, with up to five of them, and `keptCount`
 * that of titles that contain the text and stay.
 */
export const EditPreview = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  changes: Type.Array(
    Type.Object({
      field: Type.Union([Type.Literal('artistName'), Type.Literal('genre'), Type.Literal('category')]),
      from: Nullable(Type.String()),
      count: Type.Integer({ minimum: 1 }),
    }),
  ),
  tags: Type.Optional(
    Type.Array(
      Type.Object({
        tag: Tag,
        change: Type.Union([Type.Literal('added'), Type.Literal('removed')]),
        count: Type.Integer({ minimum: 1 }),
      }),
    ),
  ),
  fullCount: Type.Optional(Type.Integer({ minimum: 0 })),
  titles: Type.Optional(
    Type.Object({
      count: Type.Integer({ minimum: 0 }),
      keptCount: Type.Integer({ minimum: 0 }),
      examples: Type.Array(Type.Object({ from: Type.String(), to: Type.String() }), {
        maxItems: TITLE_EXAMPLES,
      }),
    }),
  ),
})
export type EditPreview = Static<typeof EditPreview>
