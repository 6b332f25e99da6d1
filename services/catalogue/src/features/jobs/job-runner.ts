import { JOB_BATCH } from '@looptide/contracts/http/video-jobs'
import { appendEvents, type NewEvent } from '@looptide/service-kit/events/outbox'
import { isOutage } from '@looptide/service-kit/http/errors'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { pause } from '@looptide/service-kit/time/pause'
import type { CatalogueDb, CatalogueTrx } from '../../db/schema.ts'
import { HOME_CHANGED } from '../videos/video-events.ts'
import { lockBulkChanges } from '../videos/video-repository.ts'
import { jobAudit } from './job-audit.ts'
import { type BatchResult, runBatch } from './job-batch.ts'
import {
  addAttempt,
  addProgress,
  addUndone,
  findJob,
  findNextJob,
  finishJob,
  type JobRow,
  lockRunner,
  setUndone,
  startJob,
} from './job-repository.ts'
import { jobChanged } from './present-job.ts'

/** How often an idle replica looks for jobs that another one has stored, in ms. */
const POLL_MS = 1000
/** Time between two events about the progress of a job, in ms. */
const PUBLISH_EVERY_MS = 1000
/** A job whose batch fails this often in a row has failed. Outages of the database do not count. */
const MAX_ATTEMPTS = 5

interface RunnerOptions {
  db: CatalogueDb
  logger: Logger
  now?: () => number
  /** Videos of a batch. */
  batchSize?: number
}

/**
 * Does the jobs one after another, oldest first. A batch is one transaction: the change, what it replaced, its events and
 * the progress of the job. So a batch that a crash interrupts has not happened, and any replica continues with it.
 */
export class JobRunner {
  readonly #db: CatalogueDb
  readonly #logger: Logger
  readonly #now: () => number
  readonly #batchSize: number
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined
  #awake = new AbortController()
  /** The last event about a job's progress. */
  #published = { jobId: '', atMs: 0 }

  constructor({ db, logger, now = Date.now, batchSize = JOB_BATCH }: RunnerOptions) {
    this.#db = db
    this.#logger = logger
    this.#now = now
    this.#batchSize = batchSize
  }

  start(): void {
    this.#running ??= this.#loop()
  }

  /** Resolves when the batch in progress has ended. */
  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  /** A job was stored. */
  wake(): void {
    this.#awake.abort()
  }

  /** Does one step of the oldest job: its start or a batch. False if there is nothing to do here. */
  async step(): Promise<boolean> {
    let jobId: string | undefined
    try {
      return await this.#db.transaction().execute(async (trx) => {
        if (!(await lockRunner(trx))) return false
        const job = await findNextJob(trx)
        jobId = job?.id
        if (job === undefined) return false
        if (job.state === 'waiting') await startJob(trx, job.id)
        else if (job.isCancelling) await finish(trx, job, 'cancelled')
        else await this.#continue(trx, job)
        return true
      })
    } catch (error) {
      if (jobId !== undefined && !isOutage(error)) await this.#countFailure(jobId)
      throw error
    }
  }

  async #continue(trx: CatalogueTrx, job: JobRow): Promise<void> {
    await lockBulkChanges(trx)
    const result = await runBatch(trx, job, this.#batchSize, this.#now())
    await addProgress(trx, job.id, result)
    if (job.undoes !== null) await addUndone(trx, job.undoes, result.done + result.failed)
    await appendEvents(trx, result.events, causeOf(job))
    if (result.isLast) return finish(trx, job, 'done', missing(job, result))
    await this.#publishProgress(trx, job)
  }

  async #publishProgress(trx: CatalogueTrx, job: JobRow): Promise<void> {
    const nowMs = this.#now()
    const { jobId, atMs } = this.#published
    const lastMs = jobId === job.id ? atMs : job.createdAt.getTime()
    if (nowMs - lastMs < PUBLISH_EVERY_MS) return
    this.#published = { jobId: job.id, atMs: nowMs }
    await appendEvents(
      trx,
      [...(await jobChanged(trx, { ...job, undoes: null })), HOME_CHANGED],
      causeOf(job),
    )
  }

  async #countFailure(jobId: string): Promise<void> {
    await this.#db.transaction().execute(async (trx) => {
      const attempts = await addAttempt(trx, jobId)
      const job = attempts < MAX_ATTEMPTS ? undefined : await findJob(trx, jobId)
      if (job !== undefined) await finish(trx, job, 'failed')
    })
  }

  async #loop(): Promise<void> {
    const { signal } = this.#stop
    while (!signal.aborted) {
      const hasWorked = await this.step().catch((error: unknown) => {
        this.#logger.warn({ err: error }, 'video job batch failed')
        return false
      })
      if (hasWorked) continue
      await pause(POLL_MS, AbortSignal.any([signal, this.#awake.signal]))
      if (this.#awake.signal.aborted) this.#awake = new AbortController()
    }
  }
}

const causeOf = ({ createdBy, correlationId }: JobRow) => ({ actorId: createdBy, correlationId })

/** Videos of an undo that are not there any more: their deletion has deleted what the job had replaced. */
const missing = (job: JobRow, { done, failed }: BatchResult): number =>
  Math.max(0, job.total - job.done - job.failed - done - failed)

/** Ends a job in the transaction of its last batch. `failed`: videos that no batch has found. */
async function finish(
  trx: CatalogueTrx,
  job: JobRow,
  state: 'done' | 'cancelled' | 'failed',
  failed = 0,
): Promise<void> {
  if (failed > 0) await addProgress(trx, job.id, { done: 0, failed, changed: 0 })
  if (job.undoes !== null && state === 'done') await setUndone(trx, job.undoes)
  const audit = await auditOf(trx, job, state)
  await finishJob(trx, job.id, state)
  await appendEvents(trx, [...(await jobChanged(trx, job)), ...audit], causeOf(job))
}

/** A job that has changed nothing has no entry. */
async function auditOf(trx: CatalogueTrx, job: JobRow, state: JobRow['state']): Promise<NewEvent[]> {
  const ended = await findJob(trx, job.id)
  if (ended === undefined || ended.changed === 0) return []
  return [HOME_CHANGED, await jobAudit(trx, { ...ended, state, finishedAt: new Date() })]
}
