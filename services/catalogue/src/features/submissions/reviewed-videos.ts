import { type SqlBool, sql } from 'kysely'
import type { Queries, VideoRow } from '../../db/schema.ts'

/** Puts accepted videos into the lists, as new ones: they were in nobody's until now. */
export async function publishVideos(
  db: Queries,
  ids: readonly string[],
  category: string,
): Promise<VideoRow[]> {
  await lockKeptCounts(db, ids)
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
 * Takes the kept counts that these videos will be part of in the order in which all writers take them (artists, slices
 * of the search, totals): the triggers take them row by row, and two writers could wait for each other.
 */
async function lockKeptCounts(db: Queries, ids: readonly string[]): Promise<void> {
  await sql`
    insert into artists (name, document, video_count)
    select artist_name, lower(artist_name), 0 from videos
    where id = any(${[...ids]}::uuid[]) and counts_for_artist(true, metadata_status, artist_name, artist_given)
    group by 1 order by 1
    on conflict (name) do update set video_count = artists.video_count`.execute(db)
  await sql`select pg_advisory_xact_lock(hashtext('catalogue.search_slices'))`.execute(db)
  await sql`select from video_totals order by category, is_public for update`.execute(db)
}

export function refuseVideos(db: Queries, ids: readonly string[], reason: string): Promise<VideoRow[]> {
  return db
    .updateTable('videos')
    .set({ reviewState: 'rejected', reviewReason: reason })
    .where('id', '=', sql<string>`any(${[...ids]}::uuid[])`)
    .where('reviewState', 'is not', null)
    .returningAll()
    .execute()
}

/**
 * Forgets somebody as a submitter and as the one who decided. What waited for a decision and nobody else submitted is
 * deleted; a rejected video stays, so that it stays rejected. Answers the ids of deleted videos.
 */
export async function forgetPerson(db: Queries, userId: string): Promise<string[]> {
  const own = await sql<{ videoId: string }>`
    select s.video_id from submissions s
    where s.state = 'submitted'
      and s.video_id in (select video_id from submitters where user_id = ${userId}::uuid)
    order by s.video_id for update`.execute(db)
  await db.deleteFrom('submitters').where('userId', '=', userId).execute()
  await db.updateTable('submissions').set({ decidedBy: null }).where('decidedBy', '=', userId).execute()
  const gone = await db
    .deleteFrom('videos')
    .where('id', '=', sql<string>`any(${own.rows.map((row) => row.videoId)}::uuid[])`)
    .where('reviewState', 'is not', null)
    .where(sql<SqlBool>`not exists (select from submitters where submitters.video_id = videos.id)`)
    .returning('id')
    .execute()
  return gone.map((row) => row.id)
}
