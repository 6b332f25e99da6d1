import { HELD_HOURS } from '@looptide/contracts/http/held-messages'
import { minIdAt } from '@looptide/service-kit/db/ids'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { deleteCasesBefore } from '../cases/case-repository.ts'
import { deleteHeldBefore } from '../held/held-repository.ts'
import { deleteLiftedRestrictions } from '../users/user-repository.ts'
import { deleteIdleChatters, deleteMessagesBefore } from './message-repository.ts'

const DAY_MS = 86_400_000
const HOUR_MS = 3_600_000
/** Days a lifted restriction is kept: longer than an event can be delivered again (inbox of service-kit). */
const LIFTED_DAYS = 8

interface RetentionDeps {
  db: Kysely<Database>
  logger: Logger
  /** 0 keeps messages forever. */
  days: number
  now?: () => number
}

/**
 * Deletes old messages, reports and held messages, rate-limit buckets and lifted restrictions every hour. Ids of messages and cases sort
 * by time, so the primary key finds the old ones. Several replicas may run it at the same time.
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
    this.#runInBackground()
    this.#timer = setInterval(() => this.#runInBackground(), HOUR_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    this.#stop.abort()
    clearInterval(this.#timer)
    await this.#running
  }

  #runInBackground(): void {
    this.#running = this.run().then(
      () => undefined,
      (error: unknown) => this.#deps.logger.warn({ err: error }, 'chat retention failed'),
    )
  }

  /** Deletes all rows older than their retention time. Returns the number of deleted messages. */
  async run(): Promise<number> {
    const { db, days, now = Date.now } = this.#deps
    const daysAgo = (count: number): Date => new Date(now() - count * DAY_MS)
    const oldestId = minIdAt(daysAgo(days).getTime())
    const deleted = days === 0 ? 0 : await deleteMessagesBefore(db, oldestId, this.#stop.signal)
    if (days > 0) await deleteCasesBefore(db, oldestId, this.#stop.signal)
    await deleteHeldBefore(db, minIdAt(now() - HELD_HOURS * HOUR_MS), this.#stop.signal)
    await deleteIdleChatters(db, daysAgo(1))
    await deleteLiftedRestrictions(db, daysAgo(LIFTED_DAYS))
    return deleted
  }
}
