import { type SqlBool, sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { textAndId, timeAndId } from '../shared/cursor-keys.ts'

export type NewVideo = Omit<VideoRow, 'viewCount' | 'shuffleKey' | 'createdAt'>
export type VideoPatch = Partial<
  Pick<
    VideoRow,
    | 'title'
    | 'artistName'
    | 'description'
    | 'thumbnailUrl'
    | 'durationMs'
    | 'durationAssumed'
    | 'metadataStatus'
    | 'unavailableReason'
  >
>

export interface ListOptions {
  sort: 'newest' | 'title' | 'artist'
  category?: string | undefined
  includePrivate: boolean
  limit: number
  cursor?: string | undefined
}

/** How a name is ordered in lists: without case, by its first 80 characters, as the indexes have it. */
const SORT_KEYS = {
  title: sql<string>`left(lower(title), 80)`,
  artist: sql<string>`left(lower(artist_name), 80)`,
}

/** Inserts what is not there yet; answers the rows that are new. */
export function insertVideos(db: Queries, videos: readonly NewVideo[]): Promise<VideoRow[]> {
  return db
    .insertInto('videos')
    .values([...videos])
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute()
}

/** Those of the library that these lines mean already. */
export function findSame(
  db: Queries,
  youtubeIds: readonly string[],
  mediaUrls: readonly string[],
): Promise<VideoRow[]> {
  return db
    .selectFrom('videos')
    .selectAll()
    .where((eb) =>
      eb.or([
        eb('youtubeId', '=', sql<string>`any(${[...youtubeIds]}::text[])`),
        eb.and([
          eb('youtubeId', 'is', null),
          sql<SqlBool>`md5(video_url) = any(select md5(u) from unnest(${[...mediaUrls]}::text[]) u)`,
        ]),
      ]),
    )
    .execute()
}

export async function findVideo(db: Queries, id: string): Promise<VideoRow | undefined> {
  return db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirst()
}

export function findVideos(db: Queries, ids: readonly string[]): Promise<VideoRow[]> {
  return db
    .selectFrom('videos')
    .selectAll()
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}

/** The row of a YouTube id, kept from other writers until the transaction ends. */
export async function lockByYoutubeId(db: Queries, youtubeId: string): Promise<VideoRow | undefined> {
  return db.selectFrom('videos').selectAll().where('youtubeId', '=', youtubeId).forUpdate().executeTakeFirst()
}

export async function lockVideo(db: Queries, id: string): Promise<VideoRow | undefined> {
  return db.selectFrom('videos').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** One page and one row more. The cursor is the sort key of the last row and its id: {@link listCursor}. */
export async function listVideos(db: Queries, options: ListOptions): Promise<(VideoRow & { key: string })[]> {
  const { sort, category, includePrivate, limit, cursor } = options
  const key = SORT_KEYS[sort === 'artist' ? 'artist' : 'title']
  let query = db
    .selectFrom('videos')
    .selectAll()
    .select(key.as('key'))
    .limit(limit + 1)
  if (!includePrivate) query = query.where('isPublic', '=', true)
  if (category !== undefined) query = query.where('category', '=', category)
  if (sort === 'newest') {
    if (cursor !== undefined) {
      const { at, id } = timeAndId(cursor)
      query = query.where(sql<SqlBool>`(created_at, id) < (${at}, ${id}::uuid)`)
    }
    return query.orderBy('createdAt', 'desc').orderBy('id', 'desc').execute()
  }
  if (cursor !== undefined) {
    const { text, id } = textAndId(cursor)
    query = query.where(sql<SqlBool>`(${key}, id) > (${text}, ${id}::uuid)`)
  }
  return query.orderBy(key).orderBy('id').execute()
}

/** What the cursor after this row holds. */
export const listCursor = (
  sort: ListOptions['sort'],
  row: VideoRow & { key: string },
): readonly (string | number)[] => (sort === 'newest' ? [row.createdAt.getTime(), row.id] : [row.key, row.id])

/** How many videos such a list has in all, from the kept counts. */
export async function countVideos(
  db: Queries,
  options: { category?: string | undefined; includePrivate: boolean },
): Promise<number> {
  let query = db
    .selectFrom('videoTotals')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('videoCount'), sql<number>`0`).as('total'))
  if (!options.includePrivate) query = query.where('isPublic', '=', true)
  if (options.category !== undefined) query = query.where('category', '=', options.category)
  return Number((await query.executeTakeFirstOrThrow()).total)
}

export function patchVideo(db: Queries, id: string, patch: VideoPatch): Promise<VideoRow> {
  return db.updateTable('videos').set(patch).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export function deleteVideos(db: Queries, ids: readonly string[]): Promise<VideoRow[]> {
  return db
    .deleteFrom('videos')
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .returningAll()
    .execute()
}

export function setCategory(db: Queries, ids: readonly string[], category: string): Promise<VideoRow[]> {
  return db
    .updateTable('videos')
    .set({ category })
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('category', 'is distinct from', category)
    .returningAll()
    .execute()
}

/** Marks as waiting for metadata those of `ids` that come from YouTube. */
export function setPending(db: Queries, ids: readonly string[]): Promise<VideoRow[]> {
  return db
    .updateTable('videos')
    .set({ metadataStatus: 'pending', unavailableReason: null })
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('youtubeId', 'is not', null)
    .returningAll()
    .execute()
}

/** Videos that still wait for their title; at most `limit`. */
export async function findLoading(db: Queries, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('title', '=', 'Loading...')
    .where('youtubeId', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** How many videos this person has added since then. */
export async function countAddedBy(db: Queries, userId: string, since: Date): Promise<number> {
  const row = await db
    .selectFrom('videos')
    .select((eb) => eb.fn.countAll<number>().as('added'))
    .where('userId', '=', userId)
    .where('createdAt', '>', since)
    .executeTakeFirstOrThrow()
  return row.added
}

/**
 * Lets those who change many rows at once pass one by one: the kept counts are rows that each of them
 * touches, in the order of its own rows.
 */
export async function queueBulkChange(db: Queries): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('catalogue.bulk_change'))`.execute(db)
}
