import type { Background } from '@looptide/service-kit/process/background'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely } from 'kysely'
import type { Database } from './db/schema.ts'
import { pruneRemovedItems, pruneRemovedVideos } from './library/video-repository.ts'
import { pruneReports } from './reports/report-repository.ts'
import { pruneLogEdits } from './schedule/log-edit-repository.ts'
import { pruneAirLog } from './timeline/air-log-repository.ts'
import { pruneChanges } from './timeline/change-repository.ts'
import { pruneReplicas } from './timeline/replica-repository.ts'

interface HousekeepingDeps {
  db: Kysely<Database>
  logger: Logger
  now: () => number
  airLogDays: number
}

const INTERVAL_MS = 3_600_000
const DAY_MS = 86_400_000

/** Deletes rows older than their retention time every hour. Several replicas may run it at the same time. */
export class Housekeeping implements Background {
  readonly #deps: HousekeepingDeps
  #timer: NodeJS.Timeout | undefined
  #task = ''

  constructor(deps: HousekeepingDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.run().catch((error: unknown) =>
        this.#deps.logger.warn({ err: error, task: this.#task }, 'housekeeping incomplete'),
      )
    }, INTERVAL_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  /** Runs all tasks in order; the first error ends the run until the next hour. */
  async run(): Promise<void> {
    const { db, now, airLogDays } = this.#deps
    const tasks: Record<string, () => Promise<unknown>> = {
      'air log': () => pruneAirLog(db, now() - airLogDays * DAY_MS),
      reports: () => pruneReports(db),
      'timeline changes': () => pruneChanges(db),
      'removed videos': () => pruneRemovedVideos(db),
      'removed playlist items': () => pruneRemovedItems(db),
      'log edits': () => pruneLogEdits(db, now()),
      replicas: () => pruneReplicas(db),
    }
    for (const [task, prune] of Object.entries(tasks)) {
      this.#task = task
      await prune()
    }
  }
}
