import type { ImportRow } from '@looptide/contracts/http/video-import'
import { JOB_HOURS, type VideoJobKind, type VideoJobState } from '@looptide/contracts/http/video-jobs'
import { type SqlBool, sql } from 'kysely'
import type { CatalogueTrx, JobChange, Queries, VideoJobRow } from '../../db/schema.ts'

const UNFINISHED: readonly VideoJobState[] = ['waiting', 'running']
const isKept = sql<SqlBool>`(j.finished_at is null or j.finished_at > now() - make_interval(hours => ${JOB_HOURS}))`

/** A job without its videos. `isBeingUndone`: another job is undoing it, or will. */
export type JobRow = Omit<VideoJobRow, 'videoIds' | 'attempts' | 'importRows' | 'addedIds'> & {
  undoesKind: VideoJobKind | null
  undoneBy: string | null
  isBeingUndone: boolean
}

export interface NewJob {
  id: string
  kind: VideoJobKind
  change: JobChange
  videoIds: readonly string[]
  importRows: readonly ImportRow[]
  undoes: string | null
  total: number
  createdBy: string | null
  correlationId: string | null
}

const selectJobs = (db: Queries) =>
  db
    .selectFrom('videoJobs as j')
    .leftJoin('videoJobs as original', 'original.id', 'j.undoes')
    .select(['j.id', 'j.kind', 'j.change', 'j.undoes', 'j.state', 'j.isCancelling', 'j.total', 'j.done'])
    .select(['j.failed', 'j.changed', 'j.undone', 'j.createdBy', 'j.cancelledBy', 'j.correlationId'])
    .select(['j.createdAt', 'j.startedAt', 'j.finishedAt', 'original.kind as undoesKind'])
    .select((eb) => [
      eb
        .selectFrom('videoJobs as undo')
        .select('undo.id')
        .whereRef('undo.undoes', '=', 'j.id')
        .orderBy('undo.id', 'desc')
        .limit(1)
        .as('undoneBy'),
      eb
        .exists(
          eb
            .selectFrom('videoJobs as undo')
            .select('undo.id')
            .whereRef('undo.undoes', '=', 'j.id')
            .where('undo.state', 'in', UNFINISHED),
        )
        .$castTo<boolean>()
        .as('isBeingUndone'),
    ])

/** Stores a job. False if another job that is not finished undoes the same one. */
export async function insertJob(db: Queries, job: NewJob): Promise<boolean> {
  const inserted = await db
    .insertInto('videoJobs')
    .values({
      ...job,
      change: JSON.stringify(job.change),
      videoIds: [...job.videoIds],
      importRows: JSON.stringify(job.importRows),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/** A job that is not finished, or finished in the last {@link JOB_HOURS}. */
export function findJob(db: Queries, id: string): Promise<JobRow | undefined> {
  return selectJobs(db).where('j.id', '=', id).where(isKept).executeTakeFirst()
}

/** One page and one extra row, newest first, from the job `before` on. */
export function listJobs(db: Queries, limit: number, before: string | undefined): Promise<JobRow[]> {
  let query = selectJobs(db)
    .where(isKept)
    .orderBy('j.id', 'desc')
    .limit(limit + 1)
  if (before !== undefined) query = query.where('j.id', '<', before)
  return query.execute()
}

/** The number of jobs that are waiting or running. */
export async function countUnfinished(db: Queries): Promise<number> {
  const { count } = await db
    .selectFrom('videoJobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('state', 'in', UNFINISHED)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/**
 * Makes this transaction the only one that runs a batch. False while another replica does: one job at a time changes the
 * library.
 */
export async function lockRunner(db: CatalogueTrx): Promise<boolean> {
  const { rows } = await sql<{ isLocked: boolean }>`
    select pg_try_advisory_xact_lock(hashtext('catalogue.video_jobs')) as is_locked`.execute(db)
  return rows[0]?.isLocked === true
}

/** The oldest job that is not finished. */
export function findNextJob(db: Queries): Promise<JobRow | undefined> {
  return selectJobs(db).where('j.state', 'in', UNFINISHED).orderBy('j.id').limit(1).executeTakeFirst()
}

/** The ids of the next `limit` videos of a job after `position`. */
export async function videosOfJob(
  db: Queries,
  id: string,
  position: number,
  limit: number,
): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    select video_ids[${position + 1}::integer:${position + limit}::integer]::text[] as ids
    from video_jobs where id = ${id}`.execute(db)
  return rows[0]?.ids ?? []
}

/** The next `limit` rows of an import after `position`. */
export async function rowsOfJob(
  db: Queries,
  id: string,
  position: number,
  limit: number,
): Promise<ImportRow[]> {
  const path = `$[${position} to ${position + limit - 1}]`
  const { rows } = await sql<{ rows: ImportRow[] }>`
    select jsonb_path_query_array(import_rows, ${path}::jsonpath) as rows from video_jobs where id = ${id}`.execute(
    db,
  )
  return rows[0]?.rows ?? []
}

/** Notes what a batch has added to the library. */
export async function noteAdded(db: Queries, id: string, videoIds: readonly string[]): Promise<void> {
  if (videoIds.length === 0) return
  await sql`
    update video_jobs set added_ids = added_ids || ${[...videoIds]}::uuid[] where id = ${id}`.execute(db)
}

/** The first `limit` videos that a job has added and that no undo has deleted. */
export async function videosAddedByJob(db: Queries, id: string, limit: number): Promise<string[]> {
  const { rows } = await sql<{ ids: string[] }>`
    select added_ids[1:${limit}::integer]::text[] as ids from video_jobs where id = ${id}`.execute(db)
  return rows[0]?.ids ?? []
}

/** The number of videos that a job has added and that no undo has deleted. */
export async function countAdded(db: Queries, id: string): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select cardinality(added_ids) as count from video_jobs where id = ${id}`.execute(db)
  return rows[0]?.count ?? 0
}

/** Removes the first `count` of the videos that a job has added: its undo has deleted them. */
export async function forgetAdded(db: Queries, id: string, count: number): Promise<void> {
  await sql`
    update video_jobs set added_ids = added_ids[${count + 1}::integer:] where id = ${id}`.execute(db)
}

/** A waiting job that was cancelled in the meantime is left as it is. */
export async function startJob(db: Queries, id: string): Promise<void> {
  await db
    .updateTable('videoJobs')
    .set({ state: 'running', startedAt: sql<Date>`now()` })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}

/** Adds the result of a batch. */
export async function addProgress(
  db: Queries,
  id: string,
  { done, failed, changed }: Record<'done' | 'failed' | 'changed', number>,
): Promise<void> {
  await sql`
    update video_jobs set done = done + ${done}, failed = failed + ${failed}, changed = changed + ${changed}, attempts = 0
    where id = ${id}`.execute(db)
}

/** Adds to the number of changed videos of a job that were processed to undo it. */
export async function addUndone(db: Queries, id: string, count: number): Promise<void> {
  await sql`update video_jobs set undone = undone + ${count} where id = ${id}`.execute(db)
}

/** Nothing of the job is left to undo. */
export async function setUndone(db: Queries, id: string): Promise<void> {
  await sql`update video_jobs set undone = changed where id = ${id}`.execute(db)
}

/** Ends a job. Its videos and rows are not needed any more. */
export async function finishJob(db: Queries, id: string, state: VideoJobState): Promise<void> {
  await db
    .updateTable('videoJobs')
    .set({
      state,
      isCancelling: false,
      videoIds: [],
      importRows: '[]',
      finishedAt: sql<Date>`clock_timestamp()`,
    })
    .where('id', '=', id)
    .execute()
}

/** Counts a failure of the next batch, and returns how often it has failed in a row. */
export async function addAttempt(db: Queries, id: string): Promise<number> {
  const row = await db
    .updateTable('videoJobs')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', '=', id)
    .returning('attempts')
    .executeTakeFirst()
  return row?.attempts ?? 0
}

/** Ends a waiting job, and asks the runner to end a running one. A finished job is left as it is. */
export async function cancelJob(db: Queries, id: string, userId: string | null): Promise<void> {
  await sql`
    update video_jobs set
      cancelled_by = ${userId},
      is_cancelling = state = 'running',
      finished_at = case when state = 'waiting' then clock_timestamp() end,
      video_ids = case when state = 'waiting' then '{}' else video_ids end,
      import_rows = case when state = 'waiting' then '[]' else import_rows end,
      state = case when state = 'waiting' then 'cancelled' else state end
    where id = ${id} and state in ('waiting', 'running') and not is_cancelling`.execute(db)
}

/** Deletes jobs that ended more than {@link JOB_HOURS} ago, unless a job that undoes one is kept. */
export async function pruneJobs(db: Queries): Promise<void> {
  await sql`
    delete from video_jobs j where not ${isKept}
      and not exists (select from video_jobs undo where undo.undoes = j.id and (undo.finished_at is null
        or undo.finished_at > now() - make_interval(hours => ${JOB_HOURS})))`.execute(db)
}
