import type { ImportJobBody, VideoJob, VideoJobKind, VideoJobPage } from '@looptide/contracts/http/video-jobs'
import { newId } from '@looptide/service-kit/db/ids'
import { appendEvents, type Cause } from '@looptide/service-kit/events/outbox'
import { decodeCursor, toPage } from '@looptide/service-kit/http/cursor'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { CatalogueDb, CatalogueTrx, JobChange } from '../../db/schema.ts'
import { deletedByJob } from '../deleted-videos/deleted-video-repository.ts'
import { countEdits, pruneEdits } from '../video-edits/bulk-edit-repository.ts'
import { checkImportedTrim } from '../videos/new-videos.ts'
import {
  cancelJob,
  countAdded,
  countUnfinished,
  findJob,
  insertJob,
  type JobRow,
  listJobs,
  type NewJob,
  pruneJobs,
} from './job-repository.ts'
import { canUndo, jobChanged, presentJob } from './present-job.ts'

const PRUNE_EVERY_MS = 600_000
/** Maximum jobs that are waiting or running. */
const MAX_UNFINISHED = 50
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** Stores jobs, which `JobRunner` does, cancels and undoes them. */
export class JobService {
  readonly #db: CatalogueDb
  readonly #wake: () => void

  /** `wake` tells the runner of this process that a job was stored. */
  constructor(db: CatalogueDb, wake: () => void) {
    this.#db = db
    this.#wake = wake
  }

  /** Stores a job for these videos. Throws `unprocessable` without any, or if too many jobs are waiting. */
  async start(
    kind: Exclude<VideoJobKind, 'import' | 'undo'>,
    videoIds: readonly string[],
    change: JobChange,
    cause: Cause,
  ): Promise<VideoJob> {
    if (videoIds.length === 0) throw new AppError('unprocessable', 'No videos are selected.')
    return this.#store(
      { kind, change, videoIds, importRows: [], undoes: null, total: videoIds.length },
      cause,
    )
  }

  /** Stores an import of these rows. Throws `validation_failed` for trim points that leave less than a second. */
  async startImport({ rows, allowUnplayableUrls }: ImportJobBody, cause: Cause): Promise<VideoJob> {
    for (const row of rows) checkImportedTrim(row)
    const change = allowUnplayableUrls === undefined ? {} : { allowUnplayableUrls }
    return this.#store(
      { kind: 'import', change, videoIds: [], importRows: rows, undoes: null, total: rows.length },
      cause,
    )
  }

  async list(limit: number, cursor: string | undefined): Promise<VideoJobPage> {
    const rows = await listJobs(this.#db, limit, cursor === undefined ? undefined : idOf(cursor))
    return toPage(rows, limit, presentJob, ({ id }) => [id])
  }

  /** Throws `not_found`, also for a job that ended more than a day ago. */
  async get(id: string): Promise<VideoJob> {
    return presentJob(known(await findJob(this.#db, id)))
  }

  /** Cancels a job that is not finished. */
  async cancel(id: string, cause: Cause): Promise<VideoJob> {
    const job = await this.#db.transaction().execute(async (trx) => {
      known(await findJob(trx, id))
      await cancelJob(trx, id, cause.actorId ?? null)
      const cancelled = known(await findJob(trx, id))
      await appendEvents(trx, await jobChanged(trx, cancelled), cause)
      return cancelled
    })
    this.#wake()
    return presentJob(job)
  }

  /** Stores a job that undoes another one. Throws `conflict` if nothing of it can be undone. */
  async undo(id: string, cause: Cause): Promise<VideoJob> {
    const job = known(await findJob(this.#db, id))
    if (!canUndo(job)) throw nothingToUndo()
    const total = await this.#countUndoable(job)
    return this.#store({ kind: 'undo', change: {}, videoIds: [], importRows: [], undoes: id, total }, cause)
  }

  /** The number of videos that the undo of this job would delete. */
  async countDeletedByUndo(id: string): Promise<number> {
    const job = await findJob(this.#db, id)
    return job !== undefined && canUndo(job) && hasAdded(job) ? countAdded(this.#db, id) : 0
  }

  async #countUndoable(job: JobRow): Promise<number> {
    const { id, kind } = job
    if (hasAdded(job)) return countAdded(this.#db, id)
    return kind === 'delete' ? (await deletedByJob(this.#db, id, 1)).count : countEdits(this.#db, id)
  }

  async #store(job: Omit<NewJob, 'id' | 'createdBy' | 'correlationId'>, cause: Cause): Promise<VideoJob> {
    const { actorId: createdBy = null, correlationId = null } = cause
    const stored = await this.#db.transaction().execute(async (trx) => {
      await checkWaiting(trx)
      const id = newId()
      if (!(await insertJob(trx, { ...job, id, createdBy, correlationId }))) throw nothingToUndo()
      const row = known(await findJob(trx, id))
      await appendEvents(trx, await jobChanged(trx, row), cause)
      return row
    })
    this.#wake()
    return presentJob(stored)
  }
}

/** Whether the job has added videos to the library, which its undo deletes. */
const hasAdded = ({ kind }: JobRow): boolean => kind === 'import' || kind === 'restore'

async function checkWaiting(trx: CatalogueTrx): Promise<void> {
  if ((await countUnfinished(trx)) < MAX_UNFINISHED) return
  throw new AppError('unprocessable', 'Too many changes are waiting. Try again when some have finished.')
}

const nothingToUndo = () => errors.conflict('Nothing of this change can be undone, or it is being undone.')

function known(job: JobRow | undefined): JobRow {
  if (job === undefined) throw errors.notFound('This change')
  return job
}

/** The id in the cursor of a list of jobs. Throws `invalid_cursor` for a forged one. */
function idOf(cursor: string): string {
  const [id] = decodeCursor(cursor, ['string'])
  if (!UUID.test(id)) throw new AppError('invalid_cursor', 'The cursor is invalid.')
  return id
}

/** Deletes, every ten minutes, jobs that can no longer be undone, and what they replaced. */
export const jobPruner = (db: CatalogueDb, logger: Logger): PeriodicTask =>
  new PeriodicTask({
    logger,
    everyMs: PRUNE_EVERY_MS,
    atStart: false,
    failure: 'video jobs not pruned',
    run: async (signal) => {
      await pruneJobs(db)
      await pruneEdits(db, signal)
    },
  })
