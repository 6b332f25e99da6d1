import { type Static, Type } from 'typebox'
import { Instant, Page, PageQuery, strict } from '../common.ts'
import { Video } from './videos.ts'

/** Days for which a deleted video can be restored. */
export const DELETED_RETENTION_DAYS = 30
/** The total of a list of deleted videos is counted up to this. */
export const MAX_DELETED_COUNTED = 10_000

/** A video that was deleted, as it was, and when. */
export const DeletedVideo = Type.Object({ video: Video, deletedAt: Instant })
export type DeletedVideo = Static<typeof DeletedVideo>

/** GET /api/videos/deleted (admin): the videos of "Recently deleted", the last deleted first. */
export const DeletedVideosQuery = Type.Object({ ...PageQuery.properties }, strict)
/** `total` counts the whole list, up to {@link MAX_DELETED_COUNTED}. */
export const DeletedVideoPage = Type.Object({
  ...Page(DeletedVideo).properties,
  total: Type.Integer({ minimum: 0 }),
})
export type DeletedVideoPage = Static<typeof DeletedVideoPage>

/**
 * POST /api/videos/restore (admin) puts deleted videos back into the library, onto the home page, and into the playlists
 * and channels they were in. `conflicts` counts those that stay deleted, because the library has the same address again.
 * `DELETE /api/videos/deleted` deletes them for good.
 */
export const RestoreResult = Type.Object({
  count: Type.Integer({ minimum: 0 }),
  conflicts: Type.Integer({ minimum: 0 }),
})
export type RestoreResult = Static<typeof RestoreResult>
