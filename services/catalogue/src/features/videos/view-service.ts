import type { Role } from '@looptide/contracts/common'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import { sql } from 'kysely'
import type { CatalogueDb } from '../../db/schema.ts'
import { noSuchVideo } from './video-errors.ts'
import { findVisibleVideo } from './visible-videos.ts'

/** A viewer's repeated view of a video within this time is not counted. */
const SAME_VIEW_MS = 30_000
const PRUNE_EVERY_MS = 60_000

/**
 * Counts a view of a public video, unless the viewer's last counted view of it was less than 30 s ago. `view_marks`
 * stores the time of that view, so the rule holds across replicas. Views of other videos are not counted. Throws
 * `not_found` if the viewer may not see the video.
 */
export async function countView(
  db: CatalogueDb,
  videoId: string,
  viewer: { id: string; role: Role },
  nowMs: number,
): Promise<{ viewCount: number; counted: boolean }> {
  const now = new Date(nowMs)
  const sameSince = new Date(nowMs - SAME_VIEW_MS)
  const { rows } = await sql<{ viewCount: number; counted: boolean }>`
    with video as (select id, view_count from videos where id = ${videoId} and is_public),
    mark as (
      insert into view_marks (viewer_id, video_id, counted_at) select ${viewer.id}::uuid, id, ${now} from video
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
  if (rows[0] !== undefined) return rows[0]
  const video = await findVisibleVideo(db, videoId, viewer)
  if (video === undefined) throw noSuchVideo()
  return { viewCount: video.viewCount, counted: false }
}

/** Deletes, once a minute, rows of `view_marks` that no longer prevent a view from being counted. */
export const viewMarkPruner = (db: CatalogueDb, logger: Logger): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: PRUNE_EVERY_MS,
    atStart: false,
    failure: 'view marks not pruned',
    run: () => pruneViewMarks(db, Date.now()),
  })

/** Deletes rows of `view_marks` that are older than twice {@link SAME_VIEW_MS}. */
export async function pruneViewMarks(db: CatalogueDb, nowMs: number): Promise<void> {
  await db
    .deleteFrom('viewMarks')
    .where('countedAt', '<', new Date(nowMs - 2 * SAME_VIEW_MS))
    .execute()
}
