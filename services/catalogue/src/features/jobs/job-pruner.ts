import type { Logger } from '@looptide/service-kit/telemetry/logger'
import { PeriodicTask } from '@looptide/service-kit/time/periodic-task'
import type { CatalogueDb } from '../../db/schema.ts'
import { pruneEdits } from '../video-edits/bulk-edit-repository.ts'
import { pruneJobs } from './job-repository.ts'

const PRUNE_EVERY_MS = 600_000

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
