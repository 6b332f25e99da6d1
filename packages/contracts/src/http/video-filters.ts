import { type Static, Type } from 'typebox'
import { Instant, Nullable, strict, Uuid, VideoCategory } from '../common.ts'
import { Line } from '../text-fields.ts'
import { Tag, VideoSort } from './videos.ts'

/** A filter of the library list, as in `GET /api/videos`. An empty text and null match everything. */
export const VideoFilter = Type.Object(
  {
    text: Line({ maxLength: 200 }),
    category: Nullable(VideoCategory),
    tag: Nullable(Tag),
    sort: VideoSort,
    /** As in `GET /api/videos`. */
    reverse: Type.Optional(Type.Boolean()),
  },
  strict,
)
export type VideoFilter = Static<typeof VideoFilter>

const FilterName = Line({ minLength: 1, maxLength: 60, pattern: '\\S' })

/** A filter saved by an admin, for all admins. */
export const SavedFilter = Type.Object({
  id: Uuid,
  name: FilterName,
  filter: VideoFilter,
  updatedAt: Instant,
})
export type SavedFilter = Static<typeof SavedFilter>

/** Maximum saved filters of a station. */
export const MAX_SAVED_FILTERS = 100

/** GET /api/videos/filters (admin): all saved filters, by name. */
export const SavedFilterList = Type.Object({ items: Type.Array(SavedFilter) })
export type SavedFilterList = Static<typeof SavedFilterList>

/** POST /api/videos/filters (admin): 409 if another filter has this name (without case), 422 if there are 100. */
export const CreateFilterBody = Type.Object({ name: FilterName, filter: VideoFilter }, strict)
export type CreateFilterBody = Static<typeof CreateFilterBody>

/** PATCH /api/videos/filters/:id (admin): renames or replaces a filter. The last write wins. 409 as above. */
export const UpdateFilterBody = Type.Object(
  { name: Type.Optional(FilterName), filter: Type.Optional(VideoFilter) },
  { ...strict, minProperties: 1 },
)
export type UpdateFilterBody = Static<typeof UpdateFilterBody>
