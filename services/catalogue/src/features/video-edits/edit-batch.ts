import type { BulkFields } from '@looptide/contracts/http/video-edits'
import type { CatalogueTrx, VideoRow } from '../../db/schema.ts'
import { edited, isChange } from './bulk-changes.ts'
import { editedVideos, editRows, lockAccepted, undoRows } from './bulk-edit-repository.ts'

/**
 * Sets the same fields of the accepted videos among `ids`, and keeps what was replaced under the id of the job. Returns
 * the number of accepted videos, and the changed rows.
 */
export async function editBatch(
  trx: CatalogueTrx,
  ids: readonly string[],
  fields: BulkFields,
  jobId: string,
): Promise<{ found: number; rows: VideoRow[] }> {
  const accepted = await lockAccepted(trx, ids)
  const edits = accepted.map((before) => ({ before, after: edited(before, fields) })).filter(isChange)
  return { found: accepted.length, rows: edits.length === 0 ? [] : await editRows(trx, edits, jobId) }
}

/**
 * Undoes a job's edit of its next `limit` videos, except those changed since. Returns how many there were, and the
 * changed rows.
 */
export async function undoEditBatch(
  trx: CatalogueTrx,
  jobId: string,
  limit: number,
): Promise<{ found: number; rows: VideoRow[] }> {
  const ids = await editedVideos(trx, jobId, limit)
  if (ids.length === 0) return { found: 0, rows: [] }
  await lockAccepted(trx, ids)
  return { found: ids.length, rows: await undoRows(trx, ids, jobId) }
}
