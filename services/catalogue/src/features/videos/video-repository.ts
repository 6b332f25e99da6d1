import { type SqlBool, sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'

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
