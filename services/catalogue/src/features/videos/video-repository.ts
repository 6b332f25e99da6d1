import { PLACEHOLDER_TITLE } from '@looptide/contracts/http/videos'
import { type SqlBool, sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { lockArtistsAndTotals } from './video-count-repository.ts'

type TagsAndTrim = 'tags' | 'startAtMs' | 'endAtMs'
export type NewVideo = Omit<
  VideoRow,
  | 'viewCount'
  | 'likeCount'
  | 'likeVersion'
  | 'shuffleKey'
  | 'createdAt'
  | 'reviewState'
  | 'reviewReason'
  | 'titleGiven'
  | 'thumbnailGiven'
  | TagsAndTrim
> &
  Partial<Pick<VideoRow, TagsAndTrim | 'titleGiven'>> & { reviewState?: 'submitted' }
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
    | TagsAndTrim
    | 'metadataStatus'
    | 'unavailableReason'
  >
>

/** Whether a row of `videos` is in viewers' lists: public, with a title, and not unavailable. Triggers and an index use it too. */
export const isListed = sql<SqlBool>`is_listed(is_public, metadata_status, title)`

/**
 * Inserts the videos that do not exist yet and returns their rows. They are one parameter: parsing and planning a statement
 * with a parameter for each value takes longer than inserting.
 */
export async function insertVideos(db: Queries, videos: readonly NewVideo[]): Promise<VideoRow[]> {
  const { rows } = await sql<VideoRow>`
    insert into videos (id, title, title_given, artist_name, artist_given, description, genre, category, duration_ms,
      duration_assumed, thumbnail_url, video_url, youtube_id, is_public, metadata_status, unavailable_reason, user_id,
      review_state, tags, start_at_ms, end_at_ms)
    select id, title, coalesce("titleGiven", false), "artistName", "artistGiven", description, genre, category,
      "durationMs", "durationAssumed", "thumbnailUrl", "videoUrl", "youtubeId", "isPublic", "metadataStatus",
      "unavailableReason", "userId", "reviewState", coalesce(tags, '{}'), coalesce("startAtMs", 0), "endAtMs"
    from jsonb_to_recordset(${JSON.stringify(videos)}::jsonb) as v (id uuid, title text, "titleGiven" boolean,
      "artistName" text, "artistGiven" boolean, description text, genre text, category text, "durationMs" integer,
      "durationAssumed" boolean, "thumbnailUrl" text, "videoUrl" text, "youtubeId" text, "isPublic" boolean,
      "metadataStatus" text, "unavailableReason" text, "userId" uuid, "reviewState" text, tags text[],
      "startAtMs" integer, "endAtMs" integer)
    on conflict do nothing
    returning *`.execute(db)
  return rows
}

/** Existing videos with one of these YouTube ids or media URLs. */
export function findBySource(
  db: Queries,
  youtubeIds: readonly string[],
  mediaUrls: readonly string[],
): Promise<VideoRow[]> {
  const youtubeVideos = db
    .selectFrom('videos')
    .selectAll()
    .where('youtubeId', '=', sql<string>`any(${[...youtubeIds]}::text[])`)
  const mediaVideos = db
    .selectFrom('videos')
    .selectAll()
    .where('youtubeId', 'is', null)
    .where(sql<SqlBool>`md5(video_url) = any(array(select md5(u) from unnest(${[...mediaUrls]}::text[]) u))`)
  // A union, because a condition with "or" would use neither of the two indexes.
  return youtubeVideos.unionAll(mediaVideos).execute()
}

/** A video, private ones and those under review included. */
export async function findVideo(db: Queries, id: string): Promise<VideoRow | undefined> {
  return db.selectFrom('videos').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Those of these videos that exist, in no particular order, private ones and those under review included. */
export function findVideos(db: Queries, ids: readonly string[]): Promise<VideoRow[]> {
  return db
    .selectFrom('videos')
    .selectAll()
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .execute()
}

/** The listed videos among `ids`, unordered. */
export function findListed(db: Queries, ids: readonly string[]): Promise<VideoRow[]> {
  return db
    .selectFrom('videos')
    .selectAll()
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where(isListed)
    .execute()
}

/** Locks the videos with these YouTube ids in the order of their ids, and returns those that exist. */
export function lockByYoutubeIds(db: Queries, youtubeIds: readonly string[]): Promise<VideoRow[]> {
  return db
    .selectFrom('videos')
    .selectAll()
    .where('youtubeId', '=', sql<string>`any(${[...youtubeIds]}::text[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Finds a video by its YouTube id and locks its row until the transaction ends. */
export async function lockByYoutubeId(db: Queries, youtubeId: string): Promise<VideoRow | undefined> {
  return db.selectFrom('videos').selectAll().where('youtubeId', '=', youtubeId).forUpdate().executeTakeFirst()
}

/** Like {@link lockByYoutubeId}, by id. */
export async function lockVideo(db: Queries, id: string): Promise<VideoRow | undefined> {
  return db.selectFrom('videos').selectAll().where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Locks these videos in the order of their ids, and returns those that exist. */
export function lockVideos(db: Queries, ids: readonly string[]): Promise<VideoRow[]> {
  return db
    .selectFrom('videos')
    .selectAll()
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** The total of a list, from the counts in `video_totals`. */
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

/** Changes a video, which must exist. */
export function patchVideo(db: Queries, id: string, patch: VideoPatch): Promise<VideoRow> {
  return db.updateTable('videos').set(patch).where('id', '=', id).returningAll().executeTakeFirstOrThrow()
}

/** Moves videos to a category, except those under review. Returns those that were in another one. */
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

/** Sets the YouTube videos among `ids` to `pending`, which lists unavailable ones again, and returns their rows. */
export async function setPending(db: Queries, ids: readonly string[]): Promise<VideoRow[]> {
  await lockRelisted(db, ids)
  return db
    .updateTable('videos')
    .set({ metadataStatus: 'pending', unavailableReason: null })
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('youtubeId', 'is not', null)
    .returningAll()
    .execute()
}

/**
 * Locks the videos `ids` and, if several unavailable ones become listed again, their rows in `artists` and
 * `video_totals`. All writers lock in this order (videos, artists, totals). The triggers lock row by row, so two writers
 * without these locks could deadlock.
 */
async function lockRelisted(db: Queries, ids: readonly string[]): Promise<void> {
  const rows = await db
    .selectFrom('videos')
    .select(['artistName', 'metadataStatus'])
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .orderBy('id')
    .forUpdate()
    .execute()
  const relisted = rows.filter((row) => row.metadataStatus === 'unavailable')
  if (relisted.length < 2) return
  await lockArtistsAndTotals(
    db,
    relisted.map((row) => row.artistName),
  )
}

/** Ids of at most `limit` YouTube videos that still have the placeholder title. */
export async function findWithPlaceholderTitle(db: Queries, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('videos')
    .select('id')
    .where('title', '=', PLACEHOLDER_TITLE)
    .where('youtubeId', 'is not', null)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map((row) => row.id)
}

/** The number of videos that the user has added since `since`. */
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
 * Serialises transactions that change many videos. Each updates shared rows of counts in the order of its own videos, so
 * two of them could deadlock.
 */
export async function lockBulkChanges(db: Queries): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtext('catalogue.bulk_change'))`.execute(db)
}

/**
 * Counts a view of a public video unless the viewer's last counted view of it is later than `sameSince`, in one statement.
 * Returns undefined if there is no such public video.
 */
export async function countPublicView(
  db: Queries,
  videoId: string,
  viewerId: string,
  { now, sameSince }: { now: Date; sameSince: Date },
): Promise<{ viewCount: number; counted: boolean } | undefined> {
  const { rows } = await sql<{ viewCount: number; counted: boolean }>`
    with video as (select id, view_count from videos where id = ${videoId} and is_public),
    mark as (
      insert into view_marks (viewer_id, video_id, counted_at) select ${viewerId}::uuid, id, ${now} from video
      on conflict (viewer_id, video_id) do update set counted_at = excluded.counted_at
        where view_marks.counted_at <= ${sameSince}
      returning video_id
    ),
    counted as (
      update videos set view_count = view_count + 1 where id = (select video_id from mark)
      returning view_count
    )
    select coalesce((select view_count from counted), view_count) as view_count,
      exists (select from counted) as counted
    from video`.execute(db)
  return rows[0]
}

/** Deletes the marks of views that were counted before `before`. */
export async function deleteViewMarksBefore(db: Queries, before: Date): Promise<void> {
  await db.deleteFrom('viewMarks').where('countedAt', '<', before).execute()
}

/**
 * Stores the numbers of likes of videos, also of deleted ones, unless a later version is stored. Rows are locked in the order
 * of their ids, as changes of many videos do.
 */
export async function setLikeCounts(
  db: Queries,
  counts: readonly { videoId: string; likeCount: number; version: number }[],
): Promise<void> {
  const given = sql`unnest(${counts.map(({ videoId }) => videoId)}::uuid[],
    ${counts.map(({ likeCount }) => likeCount)}::integer[], ${counts.map(({ version }) => version)}::bigint[])
    as given (id, like_count, like_version)`
  await lockVideos(
    db,
    counts.map(({ videoId }) => videoId),
  )
  for (const table of ['videos', 'deleted_videos']) {
    await sql`
      update ${sql.table(table)} v set like_count = given.like_count, like_version = given.like_version
      from ${given} where v.id = given.id and v.like_version < given.like_version`.execute(db)
  }
}
