import { type SqlBool, sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'

/** Publishes accepted videos in a category, with the current time as `created_at`: they were in no list before. */
export async function publishVideos(
  db: Queries,
  ids: readonly string[],
  category: string,
): Promise<VideoRow[]> {
  await lockCounters(db, ids)
  return db
    .updateTable('videos')
    .set({
      isPublic: true,
      reviewState: null,
      reviewReason: null,
      category,
      createdAt: sql<Date>`now()`,
    })
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('reviewState', 'is not', null)
    .returningAll()
    .execute()
}

/**
 * Locks the counts that the videos will be part of, in the order of all writers (artists, search partitions, totals). The
 * triggers lock row by row, so two writers without these locks could deadlock.
 */
async function lockCounters(db: Queries, ids: readonly string[]): Promise<void> {
  await sql`
    insert into artists (name, document, video_count)
    select artist_name, lower(artist_name), 0 from videos
    where id = any(${[...ids]}::uuid[]) and counts_for_artist(true, metadata_status, title, artist_name, artist_given)
    group by 1 order by 1
    on conflict (name) do update set video_count = artists.video_count`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('catalogue.search_partitions'))`.execute(db)
  await sql`select from video_totals order by category, is_public for update`.execute(db)
}

/** Marks videos under review as rejected, with the reason, and returns their rows. */
export function rejectVideos(db: Queries, ids: readonly string[], reason: string): Promise<VideoRow[]> {
  return db
    .updateTable('videos')
    .set({ reviewState: 'rejected', reviewReason: reason })
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('reviewState', 'is not', null)
    .returningAll()
    .execute()
}

/**
 * Removes a user as submitter of at most `limit` videos. Deletes undecided videos that no other user submitted and
 * that are in no followed list. Rejected videos stay, so that they remain rejected. Returns the ids of deleted videos, and whether there are more submissions.
 */
export async function deleteSubmitter(
  db: Queries,
  userId: string,
  limit: number,
): Promise<{ deletedIds: string[]; hasMore: boolean }> {
  const own = await sql<{ videoId: string }>`
    select video_id from submitters where user_id = ${userId}::uuid order by video_id limit ${limit}`.execute(
    db,
  )
  const ids = own.rows.map(({ videoId }) => videoId)
  const undecided = await sql<{ videoId: string }>`
    select video_id from submissions
    where state = 'submitted' and followed_list is null and video_id = any(${ids}::uuid[])
    order by video_id for update`.execute(db)
  await sql`delete from submitters where user_id = ${userId}::uuid and video_id = any(${ids}::uuid[])`.execute(
    db,
  )
  const deleted = await db
    .deleteFrom('videos')
    .where('id', '=', sql<string>`any(${undecided.rows.map((row) => row.videoId)}::uuid[])`)
    .where('reviewState', 'is not', null)
    .where(sql<SqlBool>`not exists (select from submitters where submitters.video_id = videos.id)`)
    .returning('id')
    .execute()
  return { deletedIds: deleted.map((row) => row.id), hasMore: ids.length === limit }
}
