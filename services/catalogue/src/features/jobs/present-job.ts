import type { VideoJob } from '@looptide/contracts/http/video-jobs'
import type { NewEvent } from '@looptide/service-kit/events/outbox'
import type { CatalogueTrx } from '../../db/schema.ts'
import { findJob, type JobRow } from './job-repository.ts'

const isUnfinished = ({ state }: JobRow): boolean => state === 'waiting' || state === 'running'

/** Whether something that the job has changed can be undone. Jobs that ended too long ago are not found. */
export const canUndo = (job: JobRow): boolean =>
  job.kind !== 'undo' && !isUnfinished(job) && job.changed > job.undone && !job.isBeingUndone

/** The API representation of a job. */
export const presentJob = (job: JobRow): VideoJob => ({
  id: job.id,
  kind: job.kind,
  state: job.state,
  isCancelling: job.isCancelling,
  total: job.total,
  done: job.done,
  failed: job.failed,
  changed: job.changed,
  category: job.kind === 'move' ? (job.change.fields?.category ?? null) : null,
  startedBy: job.createdBy,
  cancelledBy: job.cancelledBy,
  createdAt: job.createdAt.toISOString(),
  startedAt: job.startedAt?.toISOString() ?? null,
  finishedAt: job.finishedAt?.toISOString() ?? null,
  canCancel: isUnfinished(job) && !job.isCancelling,
  canUndo: canUndo(job),
  undoes: job.undoes,
  undoesKind: job.undoesKind,
  undoneBy: job.undoneBy,
})

/** The events that a job has changed, and the job that it undoes, as this transaction leaves them. */
export async function jobChanged(trx: CatalogueTrx, job: Pick<JobRow, 'id' | 'undoes'>): Promise<NewEvent[]> {
  const events: NewEvent[] = []
  for (const id of job.undoes === null ? [job.id] : [job.id, job.undoes]) {
    const row = await findJob(trx, id)
    if (row !== undefined) {
      events.push({ type: 'catalogue.job.changed.v1', aggregateId: id, data: { job: presentJob(row) } })
    }
  }
  return events
}
