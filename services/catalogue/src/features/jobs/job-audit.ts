import type { AuditAction } from '@looptide/contracts/audit-actions'
import type { VideoJobKind } from '@looptide/contracts/http/video-jobs'
import { auditEvent } from '@looptide/service-kit/audit/audit'
import type { NewEvent } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx } from '../../db/schema.ts'
import { videosDeletedByJob } from '../deleted-videos/deleted-video-repository.ts'
import { videosBeforeEdit } from '../video-edits/bulk-edit-repository.ts'
import { AUDIT } from '../videos/video-events.ts'
import { findVideos } from '../videos/video-repository.ts'
import { type JobRow, videosAddedByJob, videosOfJob } from './job-repository.ts'

/** Videos that the entry lists with their values from before the job. */
const MAX_LISTED = 100

const ACTIONS: Record<Exclude<VideoJobKind, 'undo'>, AuditAction> = {
  import: 'video.add',
  edit: 'video.edit_many',
  move: 'video.move',
  delete: 'video.delete',
  restore: 'video.restore',
}
const actionOf = ({ kind, undoesKind }: JobRow): AuditAction => {
  if (kind !== 'undo') return ACTIONS[kind]
  if (undoesKind === 'delete') return 'video.restore'
  return undoesKind === 'import' || undoesKind === 'restore' ? 'video.delete' : 'video.undo_edit'
}

/** The single audit event of a job: what was changed, by whom, and from when to when. */
export async function jobAudit(trx: CatalogueTrx, job: JobRow): Promise<NewEvent> {
  const { id, total, changed, failed, state, startedAt, finishedAt, cancelledBy } = job
  const before = await videosBefore(trx, job)
  const added = job.kind === 'import' ? await videosAdded(trx, job.id) : null
  return auditEvent(AUDIT, {
    action: actionOf(job),
    targetType: 'video',
    targetId: before?.[0]?.id ?? added?.[0]?.id ?? null,
    before,
    after: added ?? job.change.fields ?? null,
    details: {
      jobId: id,
      count: changed,
      total,
      ...(failed > 0 && { failed }),
      ...(state !== 'done' && { state }),
      ...(cancelledBy !== null && cancelledBy !== job.createdBy && { cancelledBy }),
      startedAt,
      finishedAt,
    },
  })
}

/** The first videos of a job, as they were. None of an undo: the entry of the job that it undoes lists them. */
async function videosBefore(trx: CatalogueTrx, { kind, id }: JobRow) {
  if (kind === 'edit' || kind === 'move') return videosBeforeEdit(trx, id, MAX_LISTED)
  if (kind === 'delete') return videosDeletedByJob(trx, id, MAX_LISTED)
  if (kind === 'undo' || kind === 'import') return null
  const restored = await findVideos(trx, await videosOfJob(trx, id, 0, MAX_LISTED))
  return restored.map(({ id: videoId, title, videoUrl }) => ({ id: videoId, title, videoUrl }))
}

/** The first videos that an import has added. */
async function videosAdded(trx: CatalogueTrx, jobId: string) {
  const rows = await findVideos(trx, await videosAddedByJob(trx, jobId, MAX_LISTED))
  return rows.map(({ id, videoUrl, category }) => ({ id, videoUrl, category }))
}
