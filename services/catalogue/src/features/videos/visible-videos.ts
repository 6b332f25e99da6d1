import type { Role } from '@looptide/contracts/common'
import { may } from '@looptide/contracts/permissions'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { submittedBy } from '../submissions/submission-repository.ts'
import { findVideo, findVideos } from './video-repository.ts'

/** The user who requests a video; null for a visitor who is not signed in. */
export type Requester = { id: string; role: Role } | null

/**
 * The videos of `ids` that the requester may see: public videos; private ones for those who edit the library; videos under review
 * for their submitters and reviewers.
 */
export async function findVisible(
  db: Queries,
  ids: readonly string[],
  requester: Requester,
): Promise<VideoRow[]> {
  return onlyVisible(db, await findVideos(db, ids), requester)
}

/** Like {@link findVisible}, for one video. */
export async function findVisibleVideo(
  db: Queries,
  id: string,
  requester: Requester,
): Promise<VideoRow | undefined> {
  const row = await findVideo(db, id)
  return row === undefined || row.isPublic ? row : (await onlyVisible(db, [row], requester))[0]
}

async function onlyVisible(db: Queries, rows: VideoRow[], requester: Requester): Promise<VideoRow[]> {
  const underReview = rows.flatMap((row) => (row.reviewState === null ? [] : [row.id]))
  const own = requester === null ? new Set() : await submittedBy(db, requester.id, underReview)
  return rows.filter((row) => {
    if (row.isPublic) return true
    return row.reviewState === null
      ? may(requester?.role, 'videos:edit')
      : own.has(row.id) || may(requester?.role, 'submissions:review')
  })
}
