import { appendEvents } from '@looptide/service-kit/events/outbox'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import { sql } from 'kysely'
import type { CatalogueDb, CatalogueTrx } from '../../db/schema.ts'
import { submissionChanged } from '../videos/video-events.ts'

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

/** Sort key of submissions by decision, oldest first. */
export interface DecisionKey {
  /** As text: a scan starts at '-infinity', which a `Date` cannot hold. */
  decidedAt: string
  videoId: string
}

/** Prunes the next `limit` old submissions after `after`. Returns the key to continue from, or undefined at the end. */
export async function pruneBatch(
  trx: CatalogueTrx,
  after: DecisionKey | undefined,
  limit: number,
): Promise<DecisionKey | undefined> {
  const old = await findOld(trx, after, limit)
  const oldIds = old.map(({ videoId }) => videoId)
  // A concurrent insert of one of these videos into a playlist waits for the lock and then fails to find the video.
  const locked = await sql<{ id: string }>`
    select id from videos where id = any(${oldIds}::uuid[]) for update skip locked`.execute(trx)
  const ids = locked.rows.map(({ id }) => id)
  const { rows } = await sql<{ id: string }>`
    delete from videos where id = any(${ids}::uuid[]) and review_state = 'rejected'
      and not exists (select from youtube_playlist_items i where i.video_id = videos.id)
    returning id`.execute(trx)
  await appendEvents(
    trx,
    rows.map(({ id }) => submissionChanged(id)),
  )
  return old.length < limit ? undefined : old.at(-1)
}

/** Returns and locks old rejected submissions, except those locked by a concurrent decision. */
async function findOld(
  trx: CatalogueTrx,
  after: DecisionKey | undefined,
  limit: number,
): Promise<DecisionKey[]> {
  const { decidedAt, videoId } = after ?? { decidedAt: '-infinity', videoId: LOWEST_UUID }
  const { rows } = await sql<DecisionKey>`
    select decided_at::text as decided_at, video_id from submissions
    where state = 'rejected' and decided_at < now() - make_interval(days => ${REJECTED_DAYS})
      and (decided_at, video_id) > (${decidedAt}::timestamptz, ${videoId}::uuid)
    order by decided_at, video_id limit ${limit} for update skip locked`.execute(trx)
  return rows
}

const LOWEST_UUID = '00000000-0000-0000-0000-000000000000'
