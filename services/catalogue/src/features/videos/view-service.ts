import type { Role } from '@looptide/contracts/common'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { CatalogueDb } from '../../db/schema.ts'
import { noSuchVideo } from './video-errors.ts'
import { countPublicView, deleteViewMarksBefore } from './video-repository.ts'
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
  const counted = await countPublicView(db, videoId, viewer.id, {
    now: new Date(nowMs),
    sameSince: new Date(nowMs - SAME_VIEW_MS),
  })
  if (counted !== undefined) return counted
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
  await deleteViewMarksBefore(db, new Date(nowMs - 2 * SAME_VIEW_MS))
}
