import type { Logger } from '@looptide/service-kit/logger'
import type { Background } from '@looptide/service-kit/run-service'
import type { Kysely } from 'kysely'
import type { Database } from './db/schema.ts'
import { pruneReports } from './features/reports/report-repository.ts'
import { pruneAirLog } from './timeline/air-log-repository.ts'
import { pruneChanges } from './timeline/change-repository.ts'
import { pruneReplicas } from './timeline/leadership.ts'
import { pruneRemovedItems, pruneRemovedVideos } from './videos/video-repository.ts'

interface HousekeepingDeps {
  db: Kysely<Database>
  logger: Logger
  now: () => number
  airLogDays: number
}

const EVERY_MS = 3_600_000
const DAY_MS = 86_400_000

/** Once an hour, forgets what nobody will ask for any more. Two replicas doing it at once do no harm. */
export class Housekeeping implements Background {
  readonly #deps: HousekeepingDeps
  #timer: NodeJS.Timeout | undefined

  constructor(deps: HousekeepingDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#timer = setInterval(() => {
      this.tidy().catch((error: unknown) => this.#deps.logger.warn({ err: error }, 'tidied only in part'))
    }, EVERY_MS)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  async tidy(): Promise<void> {
    const { db, now, airLogDays } = this.#deps
    await pruneAirLog(db, now() - airLogDays * DAY_MS)
    await pruneReports(db)
    await pruneChanges(db)
    await pruneRemovedVideos(db)
    await pruneRemovedItems(db)
    await pruneReplicas(db)
  }
}
