import { sql } from 'kysely'
import type { Queries } from '../../db/schema.ts'

const LOWEST_UUID = '00000000-0000-0000-0000-000000000000'

/** Sort key of submissions by decision, oldest first. */
export interface DecisionKey {
  /** As text: a scan starts at '-infinity', which a `Date` cannot hold. */
  decidedAt: string
  videoId: string
}

/** Returns and locks the next submissions after `after` that were rejected more than `days` ago, except those locked by a concurrent decision. */
export async function lockOldRejections(
  db: Queries,
  days: number,
  after: DecisionKey | undefined,
  limit: number,
): Promise<DecisionKey[]> {
  const { decidedAt, videoId } = after ?? { decidedAt: '-infinity', videoId: LOWEST_UUID }
  const { rows } = await sql<DecisionKey>`
    select decided_at::text as decided_at, video_id from submissions
    where state = 'rejected' and decided_at < now() - make_interval(days => ${days})
      and (decided_at, video_id) > (${decidedAt}::timestamptz, ${videoId}::uuid)
    order by decided_at, video_id limit ${limit} for update skip locked`.execute(db)
  return rows
}

/** Deletes those of the videos that are rejected and in no playlist. Returns their ids. */
export async function deleteRejected(db: Queries, videoIds: readonly string[]): Promise<string[]> {
  // A concurrent insert of one of these videos into a playlist waits for the lock and then fails to find the video.
  const locked = await sql<{ id: string }>`
    select id from videos where id = any(${[...videoIds]}::uuid[]) for update skip locked`.execute(db)
  const ids = locked.rows.map(({ id }) => id)
  const { rows } = await sql<{ id: string }>`
    delete from videos where id = any(${ids}::uuid[]) and review_state = 'rejected'
      and not exists (select from youtube_playlist_items i where i.video_id = videos.id)
    returning id`.execute(db)
  return rows.map(({ id }) => id)
}
