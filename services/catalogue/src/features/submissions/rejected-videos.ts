import type { Logger } from '@looptide/service-kit/logger'
import { appendEvents } from '@looptide/service-kit/outbox'
import { PeriodicTask } from '@looptide/service-kit/periodic-task'
import { sql } from 'kysely'
import type { CatalogueDb, CatalogueTrx } from '../../db/schema.ts'
import { submissionChanged } from '../videos/video-events.ts'

/** How long a rejected video is kept that is in nobody's playlist. Until then nobody can submit it again. */
export const REJECTED_DAYS = 30
const EVERY_MS = 3_600_000
/** Most submissions that one transaction reads. */
const BATCH = 250

/** Deletes old rejected videos once an hour. Any number of replicas may do it at once. */
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
 * submissions. Those in a playlist are kept, and read again at the next run.
 */
export async function pruneRejectedVideos(
  db: CatalogueDb,
  signal: AbortSignal,
  batch: number = BATCH,
): Promise<void> {
  let last: Place | undefined
  do {
    last = await db.transaction().execute((trx) => pruneBatch(trx, last, batch))
  } while (last !== undefined && !signal.aborted)
}

/** The place of a submission in the order of decisions, oldest first. */
export interface Place {
  /** As Postgres writes it. */
  decidedAt: string
  videoId: string
}

/** Prunes the next `limit` old submissions after `after`; answers where to go on, or undefined at the end. */
export async function pruneBatch(
  trx: CatalogueTrx,
  after: Place | undefined,
  limit: number,
): Promise<Place | undefined> {
  const old = await findOld(trx, after, limit)
  const oldIds = old.map(({ videoId }) => videoId)
  // A playlist that takes in one of these videos now waits for the lock, and then does not find the video.
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

/** Locks the submissions it answers. Those that somebody decides at this moment are left out. */
async function findOld(trx: CatalogueTrx, after: Place | undefined, limit: number): Promise<Place[]> {
  const { decidedAt, videoId } = after ?? { decidedAt: '-infinity', videoId: NO_ID }
  const { rows } = await sql<Place>`
    select decided_at::text as decided_at, video_id from submissions
    where state = 'rejected' and decided_at < now() - make_interval(days => ${REJECTED_DAYS})
      and (decided_at, video_id) > (${decidedAt}::timestamptz, ${videoId}::uuid)
    order by decided_at, video_id limit ${limit} for update skip locked`.execute(trx)
  return rows
}

const NO_ID = '00000000-0000-0000-0000-000000000000'
