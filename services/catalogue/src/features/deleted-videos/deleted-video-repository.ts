import { inBatches } from '@looptide/service-kit/db/batches'
import { type SqlBool, sql } from 'kysely'
import type { DeletedVideoRow, Queries, VideoRow } from '../../db/schema.ts'
import { timeAndId } from '../shared/cursor-keys.ts'

/** The columns of `videos`, all of which `deleted_videos` has as well. */
const COLUMNS = [
  ...([
    'id',
    'title',
    'titleGiven',
    'artistName',
    'artistGiven',
    'description',
    'genre',
    'category',
  ] as const),
  ...(['durationMs', 'durationAssumed', 'thumbnailUrl', 'thumbnailGiven', 'videoUrl', 'youtubeId'] as const),
  ...(['isPublic', 'metadataStatus', 'unavailableReason', 'reviewState', 'reviewReason'] as const),
  ...(['viewCount', 'userId', 'shuffleKey', 'createdAt', 'tags', 'startAtMs', 'endAtMs'] as const),
  ...(['likeCount', 'likeVersion'] as const),
] satisfies (keyof VideoRow & keyof DeletedVideoRow)[]

const anyOf = (ids: readonly string[]) => sql<string>`any(${[...ids]}::uuid[])`

/**
 * Moves accepted videos to `deleted_videos`, with their playlist items and curation items, and deletes videos under
 * review. Returns the former rows of all of them. `jobId`: the job that deletes them.
 */
export async function moveToDeleted(
  db: Queries,
  ids: readonly string[],
  jobId: string | null,
): Promise<VideoRow[]> {
  // Blocks concurrent inserts into playlists: their foreign key takes a share lock on the video's row.
  await db.selectFrom('videos').select('id').where('id', '=', anyOf(ids)).orderBy('id').forUpdate().execute()
  await db
    .insertInto('deletedVideos')
    .columns([...COLUMNS, 'jobId'])
    .expression((eb) =>
      eb
        .selectFrom('videos')
        .select([...COLUMNS, sql<string | null>`${jobId}::uuid`.as('jobId')])
        .where('id', '=', anyOf(ids))
        .where('reviewState', 'is', null),
    )
    .execute()
  await sql`
    insert into deleted_playlist_items (id, playlist_id, video_id, position, added_by)
    select i.id, i.playlist_id, i.video_id, i.position, i.added_by
    from youtube_playlist_items i
    join youtube_playlists p on p.id = i.playlist_id and p.is_active
    join deleted_videos d on d.id = i.video_id
    where i.video_id = ${anyOf(ids)}`.execute(db)
  await sql`
    insert into deleted_curation (id, video_id, section_type, section_name, position, is_active, created_by, created_at)
    select c.id, c.video_id, c.section_type, c.section_name, c.position, c.is_active, c.created_by, c.created_at
    from home_screen_curation c join deleted_videos d on d.id = c.video_id
    where c.video_id = ${anyOf(ids)}`.execute(db)
  return db.deleteFrom('videos').where('id', '=', anyOf(ids)).returningAll().execute()
}

/** Ids of the next `limit` videos that a job has deleted and that were not restored, and the number of all of them. */
export async function deletedByJob(
  db: Queries,
  jobId: string,
  limit: number,
): Promise<{ ids: string[]; count: number }> {
  const ofJob = db.selectFrom('deletedVideos').where('jobId', '=', jobId)
  const rows = await ofJob.select('id').orderBy('id').limit(limit).execute()
  const { count } = await ofJob.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  return { ids: rows.map((row) => row.id), count: Number(count) }
}

/** The first `limit` videos that a job has deleted, in the order of their ids. */
export function videosDeletedByJob(db: Queries, jobId: string, limit: number) {
  return db
    .selectFrom('deletedVideos')
    .select(['id', 'title', 'videoUrl'])
    .where('jobId', '=', jobId)
    .orderBy('id')
    .limit(limit)
    .execute()
}

/** Those of these videos that are deleted, in no particular order. */
export function findDeletedVideos(db: Queries, ids: readonly string[]): Promise<DeletedVideoRow[]> {
  return db.selectFrom('deletedVideos').selectAll().where('id', '=', anyOf(ids)).execute()
}

/** Those of these videos that are still deleted are not restored with their job any more. */
export async function detachFromJob(db: Queries, ids: readonly string[]): Promise<void> {
  await db.updateTable('deletedVideos').set({ jobId: null }).where('id', '=', anyOf(ids)).execute()
}

/** One page and one extra row, last deleted first. The cursor is {@link deletedCursor}. */
export function listDeleted(
  db: Queries,
  limit: number,
  cursor: string | undefined,
): Promise<DeletedVideoRow[]> {
  let query = db
    .selectFrom('deletedVideos')
    .selectAll()
    .orderBy('deletedAt', 'desc')
    .orderBy('id', 'desc')
    .limit(limit + 1)
  if (cursor !== undefined) {
    const { at, id } = timeAndId(cursor)
    query = query.where(sql<SqlBool>`(deleted_at, id) < (${at}, ${id}::uuid)`)
  }
  return query.execute()
}

/** The sort key of the list of deleted videos: time of deletion (epoch ms), then id. */
export const deletedCursor = (row: DeletedVideoRow): [number, string] => [row.deletedAt.getTime(), row.id]

/** The number of deleted videos, at most `limit`. */
export async function countDeleted(db: Queries, limit: number): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from (
      select from deleted_videos order by deleted_at desc, id desc limit ${limit}
    ) counted`.execute(db)
  return Number(rows[0]?.total ?? 0)
}

/** Ids of the deleted videos with these YouTube ids or media URLs; the last deleted one of each. */
export async function findDeletedBySource(
  db: Queries,
  youtubeIds: readonly string[],
  mediaUrls: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    (select distinct on (youtube_id) id from deleted_videos where youtube_id = any(${[...youtubeIds]}::text[])
      order by youtube_id, deleted_at desc)
    union all
    (select distinct on (video_url) id from deleted_videos
      where youtube_id is null
        and md5(video_url) = any(array(select md5(u) from unnest(${[...mediaUrls]}::text[]) u))
      order by video_url, deleted_at desc)`.execute(db)
  return rows.map((row) => row.id)
}

/** The YouTube ids among `youtubeIds` whose video was deleted and not purged yet. */
export async function findDeletedYoutubeIds(
  db: Queries,
  youtubeIds: readonly string[],
): Promise<Set<string>> {
  const { rows } = await sql<{ youtubeId: string }>`
    select youtube_id from deleted_videos where youtube_id = any(${[...youtubeIds]}::text[])`.execute(db)
  return new Set(rows.map(({ youtubeId }) => youtubeId))
}

/**
 * Moves deleted videos back to `videos`, with their id, creation time and view count. A video whose YouTube id or media
 * URL has been added again is a conflict and stays deleted. Returns the rows and the number of conflicts.
 */
export async function moveBack(
  db: Queries,
  ids: readonly string[],
): Promise<{ rows: VideoRow[]; conflicts: number }> {
  const deleted = await db
    .selectFrom('deletedVideos')
    .select('id')
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .forUpdate()
    .execute()
  if (deleted.length === 0) return { rows: [], conflicts: 0 }
  const rows = await db
    .insertInto('videos')
    .columns(COLUMNS)
    .expression((eb) =>
      eb.selectFrom('deletedVideos').select(COLUMNS).where('id', '=', anyOf(ids)).orderBy('id'),
    )
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .execute()
  return { rows, conflicts: deleted.length - rows.length }
}

/**
 * Restores playlist items of restored videos at their old positions, in playlists that are active and have fewer than
 * `maxItems` items.
 */
export async function restorePlaylistItems(
  db: Queries,
  ids: readonly string[],
  maxItems: number,
): Promise<void> {
  await sql`
    insert into youtube_playlist_items (id, playlist_id, video_id, position, added_by)
    select b.id, b.playlist_id, b.video_id, b.position, b.added_by
    from (
      select i.*, p.item_count + row_number() over (partition by i.playlist_id order by i.position, i.id) as items
      from deleted_playlist_items i join youtube_playlists p on p.id = i.playlist_id
      where i.video_id = ${anyOf(ids)} and p.is_active
    ) b
    where b.items <= ${maxItems}
    order by b.playlist_id, b.position`.execute(db)
}

/** The curation items of deleted videos. */
export function deletedCuration(db: Queries, ids: readonly string[]) {
  return db
    .selectFrom('deletedCuration')
    .selectAll()
    .where('videoId', '=', anyOf(ids))
    .orderBy('sectionType')
    .orderBy('position')
    .orderBy('id')
    .execute()
}

/** Permanently deletes videos with their stored playlist and curation items, and returns their rows. */
export function purgeDeleted(db: Queries, ids: readonly string[]): Promise<DeletedVideoRow[]> {
  return db.deleteFrom('deletedVideos').where('id', '=', anyOf(ids)).returningAll().execute()
}

/** Permanently deletes, in batches, videos that were deleted more than `days` ago. */
export async function pruneDeleted(db: Queries, days: number, signal: AbortSignal): Promise<void> {
  await inBatches(
    (limit) =>
      sql`delete from deleted_videos where id = any(array(
        select id from deleted_videos where deleted_at < now() - make_interval(days => ${days})
        order by deleted_at limit ${limit}))`.execute(db),
    signal,
  )
}
