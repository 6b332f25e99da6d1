import { sql } from 'kysely'
import type { Queries } from '../../db/schema.ts'

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
