import type { BulkFields } from '@looptide/contracts/http/video-edits'
import type { ImportRow } from '@looptide/contracts/http/video-import'
import type { NewEvent } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx, VideoRow } from '../../db/schema.ts'
import { deletedByJob, detachFromJob, moveToDeleted } from '../deleted-videos/deleted-video-repository.ts'
import { restoreBatch } from '../deleted-videos/deleted-video-service.ts'
import { edited, isChange } from '../video-edits/bulk-changes.ts'
import { editedVideos, editRows, lockAccepted, undoRows } from '../video-edits/bulk-edit-repository.ts'
import { importBatch } from '../videos/import-batch.ts'
import { removedEvents, updatedEvents } from '../videos/video-events.ts'
import {
  forgetAdded,
  type JobRow,
  noteAdded,
  rowsOfJob,
  videosAddedByJob,
  videosOfJob,
} from './job-repository.ts'

/** What a batch has done. `done`, `failed` and `changed` are those of the job's API. */
export interface BatchResult {
  done: number
  failed: number
  changed: number
  events: NewEvent[]
  /** Nothing is left to do. */
  isLast: boolean
}

/** Does the next batch of at most `size` videos in this transaction, which has locked bulk changes. */
export async function runBatch(
  trx: CatalogueTrx,
  job: JobRow,
  size: number,
  nowMs: number,
): Promise<BatchResult> {
  if (job.kind === 'undo') return undoBatch(trx, job, size)
  const position = job.done + job.failed
  if (job.kind === 'import') {
    return importRows(trx, job, await rowsOfJob(trx, job.id, position, size), nowMs)
  }
  const ids = await videosOfJob(trx, job.id, position, size)
  const isLast = position + ids.length >= job.total
  const result = await changeBatch(trx, job, ids)
  return { ...result, failed: ids.length - result.done, isLast }
}

async function importRows(
  trx: CatalogueTrx,
  { id, total, done, failed, createdBy, change }: JobRow,
  rows: readonly ImportRow[],
  nowMs: number,
): Promise<BatchResult> {
  const { addedIds, skipped, events } = await importBatch(trx, rows, {
    adderId: createdBy,
    allowUnplayable: change.allowUnplayableUrls === true,
    nowMs,
  })
  await noteAdded(trx, id, addedIds)
  return {
    done: rows.length - skipped,
    failed: skipped,
    changed: addedIds.length,
    events,
    isLast: done + failed + rows.length >= total,
  }
}

async function changeBatch(
  trx: CatalogueTrx,
  { kind, id, change }: JobRow,
  ids: readonly string[],
): Promise<Pick<BatchResult, 'done' | 'changed' | 'events'>> {
  if (kind === 'delete') {
    const rows = await moveToDeleted(trx, ids, id)
    return { done: rows.length, changed: rows.length, events: removedEvents(rows) }
  }
  if (kind === 'restore') {
    const { rows, events } = await restoreBatch(trx, ids)
    await noteAdded(
      trx,
      id,
      rows.map((row) => row.id),
    )
    return { done: rows.length, changed: rows.length, events }
  }
  const { found, rows } = await editBatch(trx, ids, change.fields ?? {}, id)
  return { done: found, changed: rows.length, events: updatedEvents(rows) }
}

/** The videos that are left to undo are those that the job to undo still refers to; each batch detaches its own. */
async function undoBatch(
  trx: CatalogueTrx,
  { undoes, undoesKind }: JobRow,
  size: number,
): Promise<BatchResult> {
  if (undoes === null) return { done: 0, failed: 0, changed: 0, events: [], isLast: true }
  if (undoesKind === 'delete') {
    const { ids } = await deletedByJob(trx, undoes, size)
    const { rows, events } = await restoreBatch(trx, ids)
    await detachFromJob(trx, ids)
    return { ...resultOf(ids.length, rows.length, events), isLast: ids.length < size }
  }
  if (undoesKind === 'import' || undoesKind === 'restore') {
    const ids = await videosAddedByJob(trx, undoes, size)
    const rows = await moveToDeleted(trx, ids, null)
    await forgetAdded(trx, undoes, ids.length)
    return { ...resultOf(ids.length, rows.length, removedEvents(rows)), isLast: ids.length < size }
  }
  const { found, rows } = await undoEditBatch(trx, undoes, size)
  return { ...resultOf(found, rows.length, updatedEvents(rows)), isLast: found < size }
}

const resultOf = (found: number, changed: number, events: NewEvent[]) => ({
  done: changed,
  failed: found - changed,
  changed,
  events,
})

/**
 * Sets the same fields of the accepted videos among `ids`, and keeps what was replaced under the id of the job. Returns
 * the number of accepted videos, and the changed rows.
 */
async function editBatch(
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
async function undoEditBatch(
  trx: CatalogueTrx,
  jobId: string,
  limit: number,
): Promise<{ found: number; rows: VideoRow[] }> {
  const ids = await editedVideos(trx, jobId, limit)
  if (ids.length === 0) return { found: 0, rows: [] }
  await lockAccepted(trx, ids)
  return { found: ids.length, rows: await undoRows(trx, ids, jobId) }
}
