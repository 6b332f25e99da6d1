import { type Static, Type } from 'typebox'
import { Cursor, Instant, Page, strict, Uuid } from '../common.ts'
import { LookUpVideosQuery } from './videos.ts'

/** Videos that an account may like. */
export const MAX_LIKES = 5000

/** PUT and DELETE /api/videos/:id/like. 409 `like_limit`, 403 `user_restricted`. */
export const LikeResult = Type.Object({ likeCount: Type.Integer({ minimum: 0 }), liked: Type.Boolean() })
export type LikeResult = Static<typeof LikeResult>

/** GET /api/me/likes: with comma-separated `ids`, only those of these videos. */
export const ListLikesQuery = Type.Object(
  {
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100 })),
    cursor: Type.Optional(Cursor),
    ids: Type.Optional(LookUpVideosQuery.properties.ids),
  },
  strict,
)

/**
 * The videos that the caller likes, newest like first, without those that are not in the public library at present.
 * `total` counts the whole list.
 */
export const LikePage = Type.Object({
  ...Page(Type.Object({ videoId: Uuid, likedAt: Instant, likeCount: LikeResult.properties.likeCount }))
    .properties,
  total: Type.Integer({ minimum: 0 }),
})
export type LikePage = Static<typeof LikePage>
