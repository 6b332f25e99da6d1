import type { Role } from '@looptide/contracts/common'
import type { Queries, VideoRow } from '../../db/schema.ts'
import { reviews } from '../submissions/may-add.ts'
import { submittedBy } from '../submissions/submission-repository.ts'
import { findVideo, findVideos } from './video-repository.ts'

/** Who asks for a video by its id; null for a visitor. */
export type Reader = { id: string; role: Role } | null

/**
 * Those of `ids` that this person may see: public videos; private ones as an admin; videos under review as one of their
 * submitters or as a moderator.
 */
export async function findVisible(db: Queries, ids: readonly string[], reader: Reader): Promise<VideoRow[]> {
  return onlyVisible(db, await findVideos(db, ids), reader)
}

/** As {@link findVisible}, of one video. */
export async function findVisibleVideo(
  db: Queries,
  id: string,
  reader: Reader,
): Promise<VideoRow | undefined> {
  const row = await findVideo(db, id)
  return row === undefined || row.isPublic ? row : (await onlyVisible(db, [row], reader))[0]
}

async function onlyVisible(db: Queries, rows: VideoRow[], reader: Reader): Promise<VideoRow[]> {
  const underReview = rows.flatMap((row) => (row.reviewState === null ? [] : [row.id]))
  const own = reader === null ? new Set() : await submittedBy(db, reader.id, underReview)
  return rows.filter((row) => {
    if (row.isPublic) return true
    return row.reviewState === null ? reader?.role === 'admin' : own.has(row.id) || reviews(reader?.role)
  })
}
