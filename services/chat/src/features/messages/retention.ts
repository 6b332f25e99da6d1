import { minIdAt } from '@looptide/service-kit/ids'
import type { Logger } from '@looptide/service-kit/logger'
import { type Kysely, sql } from 'kysely'
import type { ChatDb } from '../../db/schema.ts'
import { deleteLiftedBefore } from '../people/people-repository.ts'
import { deleteMessagesBefore } from './message-repository.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** A lifted restriction is remembered for as long as an event can come again (service-kit's inbox). */
const LIFTED_DAYS = 8

interface RetentionDeps {
  db: Kysely<ChatDb>
  logger: Logger
  /** 0 keeps messages for ever. */
  days: number
  now?: () => number
}

/**
 * Forgets old messages, and what was remembered of people for a time, every hour. Messages' ids sort by time, so the primary key finds them. Several
 * replicas may do it at once: a row is deleted once.
 */
export class Retention {
  readonly #deps: RetentionDeps
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()
  readonly #stop = new AbortController()

  constructor(deps: RetentionDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#begin()
    this.#timer = setInterval(() => this.#begin(), HOUR_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    clearInterval(this.#timer)
    await this.#running
  }

  #begin(): void {
    this.#running = this.run().then(
      () => undefined,
      (error: unknown) => this.#deps.logger.warn({ err: error }, 'old messages were not forgotten'),
    )
  }

  /** Deletes all that is older than it is kept; answers how many messages. */
  async run(): Promise<number> {
    const { db, days, now = Date.now } = this.#deps
    const before = (kept: number): Date => new Date(now() - kept * DAY_MS)
    const oldest = minIdAt(before(days).getTime())
    const total = days === 0 ? 0 : await deleteMessagesBefore(db, oldest, this.#stop.signal)
    // Read from end to end: they are the chatters of a day, and an index would be written anew with each of their messages.
    await sql`delete from chatters where posted_at < ${before(1)}`.execute(db)
    await deleteLiftedBefore(db, before(LIFTED_DAYS))
    return total
  }
}
