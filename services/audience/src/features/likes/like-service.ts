import {
  type LikePage,
  type LikeResult,
  type ListLikesQuery,
  MAX_LIKES,
} from '@looptide/contracts/http/likes'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Kysely } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../../db/schema.ts'
import type { AccountLoader } from '../users/account-loader.ts'
import { requireFewAttempts } from '../users/attempts.ts'
import { isRestricted, lockProfile } from '../users/user-repository.ts'
import {
  countLikes,
  countShownLikes,
  deleteLike,
  findLikedVideo,
  insertLike,
  isLiked,
  listLikes,
  saveShown,
} from './like-repository.ts'
import type { IsPublicVideo } from './public-video.ts'

/** Likes that an account gives or takes back within a minute, before `RATE_LIMIT_FACTOR`. */
const CHANGES_PER_MINUTE = 60
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
/** Maximum time of a `Date`, in ms (ECMA-262 §21.4.1.1). */
const MAX_TIME_MS = 8.64e15

interface LikeDeps {
  db: Kysely<Database>
  accounts: AccountLoader
  isPublicVideo: IsPublicVideo
  rateLimitFactor: number
  now: () => number
}

/** Likes of videos. */
export class LikeService {
  readonly #deps: LikeDeps

  constructor(deps: LikeDeps) {
    this.#deps = deps
  }

  /**
   * Likes a video; a repeated like changes nothing. Throws `not_found` for a video that is not in the public library,
   * `user_restricted`, `like_limit`, `rate_limited`, `service_unavailable`.
   */
  async add(userId: string, videoId: string): Promise<LikeResult> {
    const { db, now } = this.#deps
    await this.#requireShown(videoId)
    if (await isRestricted(db, userId, new Date(now()))) {
      throw new AppError('user_restricted', 'Your account is restricted.')
    }
    if (await isLiked(db, userId, videoId)) return this.#result(userId, videoId)
    await this.#requireFew(userId)
    await db.transaction().execute(async (trx) => {
      // Likes of an account are counted one after another.
      await lockProfile(trx, userId)
      if ((await countLikes(trx, userId)) >= MAX_LIKES) {
        throw new AppError('like_limit', `You may like ${MAX_LIKES} videos.`)
      }
      await insertLike(trx, { userId, videoId, likedAt: new Date(now()) })
    })
    return this.#result(userId, videoId)
  }

  /** Takes a like back. Idempotent, also for a video that is not in the library any more. Throws `rate_limited`. */
  async remove(userId: string, videoId: string): Promise<LikeResult> {
    const { db } = this.#deps
    if (await isLiked(db, userId, videoId)) {
      await this.#requireFew(userId)
      await deleteLike(db, userId, videoId)
    }
    return this.#result(userId, videoId)
  }

  /** A page of the user's likes. Throws `invalid_cursor`. */
  async list(userId: string, query: Static<typeof ListLikesQuery>): Promise<LikePage> {
    const { db } = this.#deps
    const { limit = 100, cursor } = query
    const after = cursor === undefined ? undefined : readCursor(cursor)
    const [rows, total] = await Promise.all([
      listLikes(db, { userId, limit, after, ids: query.ids?.split(',') }),
      countShownLikes(db, userId),
    ])
    const page = toPage(
      rows,
      limit,
      ({ likedAt, ...like }) => ({ ...like, likedAt: likedAt.toISOString() }),
      ({ videoId, likedAt }) => [likedAt.getTime(), videoId],
    )
    return { ...page, total }
  }

  /** Asks the catalogue for a video without likes so far, or one that was hidden. Its events report later changes. */
  async #requireShown(videoId: string): Promise<void> {
    const { db, isPublicVideo } = this.#deps
    if ((await findLikedVideo(db, videoId))?.isShown === true) return
    if (!(await isPublicVideo(videoId))) throw errors.notFound('This video')
    await saveShown(db, videoId)
  }

  async #requireFew(userId: string): Promise<void> {
    // Ensures that the account has a row, which counts its attempts.
    await this.#deps.accounts.registeredAt(userId)
    await requireFewAttempts(this.#deps, userId, {
      kind: 'like',
      perMinute: CHANGES_PER_MINUTE,
      message: 'You have liked many videos. Please wait a moment.',
    })
  }

  async #result(userId: string, videoId: string): Promise<LikeResult> {
    const { db } = this.#deps
    const [video, liked] = await Promise.all([findLikedVideo(db, videoId), isLiked(db, userId, videoId)])
    return { likeCount: video?.likeCount ?? 0, liked }
  }
}

function readCursor(cursor: string): { at: Date; id: string } {
  const [ms, id] = decodeCursor(cursor, ['number', 'string'])
  if (!Number.isSafeInteger(ms) || Math.abs(ms) > MAX_TIME_MS || !UUID.test(id)) {
    throw new AppError('invalid_cursor', 'The cursor is invalid.')
  }
  return { at: new Date(ms), id }
}
