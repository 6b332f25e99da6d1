import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { CatalogueDb, CatalogueTrx } from '../../db/schema.ts'
import { submissionChanged } from '../videos/video-events.ts'
import { type DecisionKey, deleteRejected, lockOldRejections } from './submission-repository.ts'

/** Retention of a rejected video that is in no playlist, in days. Until then it cannot be submitted again. */
const REJECTED_DAYS = 30
const EVERY_MS = 3_600_000
/** Maximum submissions read in one transaction. */
const BATCH_SIZE = 250

/** Deletes old rejected videos once an hour. Any number of replicas may run this task at once. */
export const rejectedVideoPruner = (db: CatalogueDb, logger: Logger): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: EVERY_MS,
    atStart: true,
    failure: 'rejected videos not pruned',
    run: (signal) => pruneRejectedVideos(db, signal),
  })

/**
 * Deletes the videos that were rejected more than {@link REJECTED_DAYS} days ago and are in no playlist, with their
 * submissions. Videos in a playlist are kept and checked again in the next run.
 */
export async function pruneRejectedVideos(
  db: CatalogueDb,
  signal: AbortSignal,
  batchSize: number = BATCH_SIZE,
): Promise<void> {
  let last: DecisionKey | undefined
  do {
    last = await db.transaction().execute((trx) => pruneBatch(trx, last, batchSize))
  } while (last !== undefined && !signal.aborted)
}

/** Prunes the next `limit` old submissions after `after`. Returns the key to continue from, or undefined at the end. */
export async function pruneBatch(
  trx: CatalogueTrx,
  after: DecisionKey | undefined,
  limit: number,
): Promise<DecisionKey | undefined> {
  const old = await lockOldRejections(trx, REJECTED_DAYS, after, limit)
  const deletedIds = await deleteRejected(
    trx,
    old.map(({ videoId }) => videoId),
  )
  await appendEvents(trx, deletedIds.map(submissionChanged))
  return old.length < limit ? undefined : old.at(-1)
}
