import { inBatches } from '@looptide/service-kit/db/batches'
import type { Db } from '@looptide/service-kit/db/db'
import { sql, type Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'

/** The number of likes of a video, and whether it is in the public library as far as events say. */
export interface LikedVideo {
  likeCount: number
  isShown: boolean
}

/** A video that somebody has liked; undefined for one that nobody has liked yet. */
export function findLikedVideo(db: Db<Database>, videoId: string): Promise<LikedVideo | undefined> {
  return db
    .selectFrom('likedVideos')
    .select(['likeCount', sql<boolean>`is_public and removed_at is null`.as('isShown')])
    .where('videoId', '=', videoId)
    .executeTakeFirst()
}

/** Stores that a video is in the public library, as the catalogue has just answered. */
export async function saveShown(db: Db<Database>, videoId: string): Promise<void> {
  await sql`
    insert into liked_videos as known (video_id) values (${videoId})
    on conflict (video_id) do update set is_public = true, removed_at = null
    where not known.is_public or known.removed_at is not null`.execute(db)
}

/** Whether a user likes a video. */
export async function isLiked(db: Db<Database>, userId: string, videoId: string): Promise<boolean> {
  const row = await db
    .selectFrom('likes')
    .select('videoId')
    .where('userId', '=', userId)
    .where('videoId', '=', videoId)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Stores a like of a video that is known, and counts it, in one statement. A repeated like changes nothing. Returns the new
 * number of likes; undefined if the like was stored already.
 */
export async function insertLike(
  db: Db<Database>,
  { userId, videoId, likedAt }: { userId: string; videoId: string; likedAt: Date },
): Promise<number | undefined> {
  const { rows } = await sql<{ likeCount: number }>`
    with liked as (
      insert into likes (user_id, video_id, liked_at) values (${userId}, ${videoId}, ${likedAt})
      on conflict do nothing
      returning video_id
    )
    update liked_videos v set like_count = v.like_count + 1, is_changed = true
    from liked where v.video_id = liked.video_id
    returning v.like_count`.execute(db)
  return rows[0]?.likeCount
}

/** Deletes a like, and counts it no longer. Returns the new number of likes; undefined if there was no like. */
export async function deleteLike(
  db: Db<Database>,
  userId: string,
  videoId: string,
): Promise<number | undefined> {
  const { rows } = await sql<{ likeCount: number }>`
    with unliked as (
      delete from likes where user_id = ${userId} and video_id = ${videoId} returning video_id
    )
    update liked_videos v set like_count = greatest(v.like_count - 1, 0), is_changed = true
    from unliked where v.video_id = unliked.video_id
    returning v.like_count`.execute(db)
  return rows[0]?.likeCount
}

/**
 * Deletes all likes of a user, in batches. A wrong number, which {@link recountAfter} corrects, does not keep them from being
 * deleted. Videos are locked in the order of their ids, as {@link takeChanged} does.
 */
export async function deleteLikesOf(trx: Transaction<Database>, userId: string): Promise<void> {
  await inBatches((limit) =>
    sql`
    with mine as (
      select v.video_id from liked_videos v
      where v.video_id = any(array(
        select video_id from likes where user_id = ${userId} order by video_id limit ${limit}))
      order by v.video_id for no key update
    ), unliked as (
      delete from likes where user_id = ${userId} and video_id = any(array(select video_id from mine))
      returning video_id
    )
    update liked_videos set like_count = greatest(like_count - 1, 0), is_changed = true
    where video_id = any(array(select video_id from unliked))`.execute(trx),
  )
}

/** The number of a user's likes, with those of videos that are not in the public library. */
export async function countLikes(db: Db<Database>, userId: string): Promise<number> {
  const { likes } = await db
    .selectFrom('likes')
    .select((eb) => eb.fn.countAll<number>().as('likes'))
    .where('userId', '=', userId)
    .executeTakeFirstOrThrow()
  return likes
}

/** The likes of a user whose videos are in the public library. */
const shownLikes = (db: Db<Database>, userId: string) =>
  db
    .selectFrom('likes as l')
    .innerJoin('likedVideos as v', 'v.videoId', 'l.videoId')
    .where('l.userId', '=', userId)
    .where('v.isPublic', '=', true)
    .where('v.removedAt', 'is', null)

/** The number of a user's likes of videos in the public library. */
export async function countShownLikes(db: Db<Database>, userId: string): Promise<number> {
  const { likes } = await shownLikes(db, userId)
    .select((eb) => eb.fn.countAll<number>().as('likes'))
    .executeTakeFirstOrThrow()
  return likes
}

/** What a page of likes contains. `after`: the last one of the page before. `ids`: only likes of these videos. */
export interface LikeList {
  userId: string
  limit: number
  after?: { at: Date; id: string } | undefined
  ids?: readonly string[] | undefined
}

export interface LikeRow {
  videoId: string
  likedAt: Date
}

export interface ListedLike extends LikeRow {
  likeCount: number
}

/** One page of a user's likes of videos in the public library, newest first, and one row more if there is one. */
export function listLikes(db: Db<Database>, { userId, limit, after, ids }: LikeList): Promise<ListedLike[]> {
  let query = shownLikes(db, userId).select(['l.videoId', 'l.likedAt', 'v.likeCount'])
  if (ids !== undefined) query = query.where('l.videoId', '=', sql<string>`any(${[...ids]}::uuid[])`)
  if (after !== undefined) {
    query = query.where(sql<boolean>`(l.liked_at, l.video_id) < (${after.at}, ${after.id}::uuid)`)
  }
  return query
    .orderBy('l.likedAt', 'desc')
    .orderBy('l.videoId', 'desc')
    .limit(limit + 1)
    .execute()
}

/** A page of all likes of a user after a video, by the ids of the videos, and one row more if there is one. */
export function likesOf(
  db: Db<Database>,
  userId: string,
  afterId: string,
  limit: number,
): Promise<LikeRow[]> {
  return db
    .selectFrom('likes')
    .select(['videoId', 'likedAt'])
    .where('userId', '=', userId)
    .where('videoId', '>', afterId)
    .orderBy('videoId')
    .limit(limit + 1)
    .execute()
}

export interface PublishedCount {
  videoId: string
  likeCount: number
  version: number
}

/**
 * Takes up to `limit` numbers that have changed since they were published, with the versions under which they are published
 * now. Versions grow with the time (epoch ms), so that they do so across an emptied schema too. Waits for likes that are
 * being counted: a video that is liked all the time would else never be published.
 */
export async function takeChanged(
  trx: Transaction<Database>,
  limit: number,
  nowMs: number,
): Promise<PublishedCount[]> {
  const { rows } = await sql<PublishedCount>`
    with changed as (
      select video_id from liked_videos where is_changed order by video_id limit ${limit} for no key update
    )
    update liked_videos set is_changed = false, version = greatest(version + 1, ${nowMs})
    where video_id = any(array(select video_id from changed))
    returning video_id, like_count, version`.execute(trx)
  return rows
}

/** Applies what the catalogue has published of videos to those that somebody has liked. */
export async function setShown(
  trx: Transaction<Database>,
  videos: readonly { id: string; isPublic: boolean }[],
): Promise<void> {
  await sql`
    update liked_videos v set is_public = given.is_public, removed_at = null
    from unnest(${videos.map(({ id }) => id)}::uuid[], ${videos.map(({ isPublic }) => isPublic)}::boolean[])
      as given (video_id, is_public)
    where v.video_id = given.video_id and (v.is_public, v.removed_at) is distinct from (given.is_public, null)`.execute(
    trx,
  )
}

/** Stores that videos were deleted. Their likes are kept until {@link deleteRemovedBefore}. */
export async function setRemoved(
  trx: Transaction<Database>,
  videoIds: readonly string[],
  removedAt: Date,
): Promise<void> {
  await sql`update liked_videos set removed_at = ${removedAt}
    where video_id = any(${[...videoIds]}::uuid[]) and removed_at is null`.execute(trx)
}

/** Deletes the likes of videos that were deleted before `before`, in batches. */
export async function deleteRemovedBefore(db: Db<Database>, before: Date): Promise<void> {
  await inBatches((limit) =>
    sql`delete from likes where (user_id, video_id) in (
      select l.user_id, l.video_id from liked_videos v join likes l on l.video_id = v.video_id
      where v.removed_at < ${before} limit ${limit})`.execute(db),
  )
  await inBatches((limit) =>
    sql`delete from liked_videos where video_id = any(array(
      select video_id from liked_videos where removed_at < ${before} limit ${limit}))`.execute(db),
  )
}

/**
 * Counts the likes of up to `limit` videos after one again, by the ids of the videos. Returns the last one; undefined after
 * the last videos. Numbers that were wrong are published. In one transaction, so that no like is counted meanwhile.
 */
export async function recountAfter(
  trx: Transaction<Database>,
  afterId: string,
  limit: number,
): Promise<string | undefined> {
  const { rows } = await sql<{ videoId: string }>`
    select video_id from liked_videos where video_id > ${afterId}::uuid
    order by video_id limit ${limit} for no key update`.execute(trx)
  const ids = rows.map(({ videoId }) => videoId)
  const counted = sql`(select count(*) from likes l where l.video_id = v.video_id)`
  await sql`update liked_videos v set like_count = ${counted}, is_changed = true
    where v.video_id = any(${ids}::uuid[]) and v.like_count <> ${counted}`.execute(trx)
  return ids.at(-1)
}
