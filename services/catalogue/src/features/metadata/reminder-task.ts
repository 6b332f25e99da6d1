import type { Logger } from '@looptide/service-kit/logger'
import { pause } from '@looptide/service-kit/nats'
import { appendEvent } from '@looptide/service-kit/outbox'
import type { Background } from '@looptide/service-kit/run-service'
import type { CatalogueDb } from '../../db/schema.ts'
import { takeDueReminders } from './reminder-repository.ts'

const EVERY_MS = 5000
/** Most videos of one event. */
const BATCH = 500
/** Most events of one pass: 10,000 videos. */
const BATCHES_PER_PASS = 20

/**
 * Requests the metadata of videos that still wait for it again, in case the worker has lost their jobs: after 40 s, then
 * at growing intervals. The worker ignores videos that have a job. Any number of replicas may do it at once.
 */
export class ReminderTask implements Background {
  readonly #db: CatalogueDb
  readonly #logger: Logger
  readonly #stop = new AbortController()
  #running: Promise<void> | undefined

  constructor(db: CatalogueDb, logger: Logger) {
    this.#db = db
    this.#logger = logger
  }

  start(): void {
    this.#running ??= this.#run()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    await this.#running
  }

  async #run(): Promise<void> {
    for (;;) {
      await pause(EVERY_MS, this.#stop.signal)
      if (this.#stop.signal.aborted) return
      await sendDueReminders(this.#db).catch((error: unknown) =>
        this.#logger.warn({ err: error }, 'metadata reminders not sent'),
      )
    }
  }
}

/** Sends the reminders that are due, up to {@link BATCHES_PER_PASS} events. */
export async function sendDueReminders(db: CatalogueDb): Promise<void> {
  for (let count = 0; count < BATCHES_PER_PASS; count += 1) {
    const sent = await db.transaction().execute(async (trx) => {
      const youtubeIds = await takeDueReminders(trx, BATCH)
      const [first] = youtubeIds
      if (first === undefined) return 0
      const data = { youtubeIds, force: false, missingOnly: true }
      await appendEvent(trx, 'catalogue.metadata.requested.v1', first, data)
      return youtubeIds.length
    })
    if (sent < BATCH) return
  }
}
