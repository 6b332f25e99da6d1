import { type SqlBool, sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'

export type NewVideo = Omit<
  VideoRow,
  'viewCount' | 'shuffleKey' | 'createdAt' | 'reviewState' | 'reviewReason' | 'titleGiven' | 'thumbnailGiven'
> & { reviewState?: 'submitted' }
export type VideoPatch = Partial<
  Pick<
    VideoRow,
    | 'title'
    | 'titleGiven'
    | 'artistName'
    | 'artistGiven'
    | 'description'
    | 'genre'
    | 'category'
    | 'thumbnailUrl'
    | 'thumbnailGiven'
    | 'durationMs'
    | 'durationAssumed'
    | 'metadataStatus'
    | 'unavailableReason'
  >
>

/**
 * Whether a row of `videos` is in viewers' lists: it is public, and YouTube has not said that it is gone. The
 * partial indexes and the triggers say the same.
 */
export const isListed = sql<SqlBool>`is_listed(is_public, metadata_status)`

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
  const ofYoutube = db
    .selectFrom('videos')
    .selectAll()
    .where('youtubeId', '=', sql<string>`any(${[...youtubeIds]}::text[])`)
  const ofMedia = db
    .selectFrom('videos')
    .selectAll()
    .where('youtubeId', 'is', null)
    .where(sql<SqlBool>`md5(video_url) = any(array(select md5(u) from unnest(${[...mediaUrls]}::text[]) u))`)
  // Not one query with an "or": neither of the two indexes would serve it.
  return ofYoutube.unionAll(ofMedia).execute()
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

/** Those of `ids` that viewers may find, in no order. */
export function findListed(db: Queries, ids: readonly string[]): Promise<VideoRow[]> {
  return db
    .selectFrom('videos')
    .selectAll()
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where(isListed)
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
  const count = options.includePrivate
    ? sql<number>`video_count`
    : sql<number>`video_count - unavailable_count`
  let query = db
    .selectFrom('videoTotals')
    .select((eb) => eb.fn.coalesce(eb.fn.sum<number>(count), sql<number>`0`).as('total'))
  if (!options.includePrivate) query = query.where('isPublic', '=', true)
  if (options.category !== undefined) query = query.where('category', '=', options.category)
  return Number((await query.executeTakeFirstOrThrow()).total)
}

export function patchVideo(db: Queries, id: string, patch: VideoPatch): Promise<VideoRow> {
  return db.updateTable('videos').set(patch).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

export function setCategory(db: Queries, ids: readonly string[], category: string): Promise<VideoRow[]> {
  return (
    db
      .updateTable('videos')
      .set({ category })
      .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
      .where('category', 'is distinct from', category)
      // A video under review gets its category when it is accepted.
      .where('reviewState', 'is', null)
      .returningAll()
      .execute()
  )
}

/** Marks as waiting for metadata those of `ids` that come from YouTube; viewers' lists have them again. */
export async function setPending(db: Queries, ids: readonly string[]): Promise<VideoRow[]> {
  await lockReturning(db, ids)
  return db
    .updateTable('videos')
    .set({ metadataStatus: 'pending', unavailableReason: null })
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('youtubeId', 'is not', null)
    .returningAll()
    .execute()
}

/**
 * Holds `ids` and, where they come back into viewers' lists, the kept counts they are part of, in the order in which
 * all writers take them (videos, artists, totals): row by row, two of them could wait for each other.
 */
async function lockReturning(db: Queries, ids: readonly string[]): Promise<void> {
  const rows = await db
    .selectFrom('videos')
    .select(['artistName', 'metadataStatus'])
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const returning = rows.filter((row) => row.metadataStatus === 'unavailable')
  if (returning.length < 2) return
  await lockArtistsAndTotals(
    db,
    returning.map((row) => row.artistName),
  )
}

/** Locks the kept counts of these artists, then the totals, in the order in which all writers lock them. */
export async function lockArtistsAndTotals(db: Queries, names: readonly string[]): Promise<void> {
  // One that had no video to show may have no row yet: two who make the same rows would wait for each other as well.
  await sql`
    insert into artists (name, document, video_count)
    select name, lower(name), 0 from unnest(${[...names]}::text[]) name group by 1 order by 1
    on conflict (name) do update set video_count = artists.video_count`.execute(db)
  await sql`select from video_totals order by category, is_public for update`.execute(db)
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
