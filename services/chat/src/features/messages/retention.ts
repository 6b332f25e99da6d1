import { idAt } from '@looptide/service-kit/ids'
import type { Logger } from '@looptide/service-kit/logger'
import { type Kysely, sql } from 'kysely'
import type { ChatDb } from '../../db/schema.ts'
import { deleteMessagesBefore } from './message-repository.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
const BATCH = 1000

interface RetentionDeps {
  db: Kysely<ChatDb>
  logger: Logger
  /** 0 keeps messages for ever. */
  days: number
  now?: () => number
}

/**
 * Forgets old messages, every hour. Their ids sort by time, so the primary key finds them. Several
 * replicas may do it at once: a row is deleted once.
 */
export class Retention {
  readonly #deps: RetentionDeps
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  #stopped = false

  constructor(deps: RetentionDeps) {
    this.#deps = deps
  }

  start(): void {
    if (this.#deps.days === 0) return
    this.#begin()
    this.#timer = setInterval(() => this.#begin(), HOUR_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    this.#stopped = true
    clearInterval(this.#timer)
    await this.#running
  }

  #begin(): void {
    this.#running = this.run().then(
      () => undefined,
      (error: unknown) => this.#deps.logger.warn({ err: error }, 'old messages were not forgotten'),
    )
  }

  /** Deletes all that is older than the setting; answers how many messages. */
  async run(): Promise<number> {
    const { db, days, now = Date.now } = this.#deps
    const beforeId = idAt(now() - days * DAY_MS)
    let total = 0
    for (let deleted = BATCH; deleted === BATCH && !this.#stopped; total += deleted) {
      deleted = await deleteMessagesBefore(db, beforeId, BATCH)
    }
    await sql`delete from chatters where posted_at < ${new Date(now() - DAY_MS)}`.execute(db)
    return total
  }
}
