import type { Logger } from '@looptide/service-kit/logger'
import type { Kysely } from 'kysely'
import type { AdminAuditDb } from '../../db/schema.ts'
import { findBusyAdmins } from '../audit/audit-repository.ts'
import { pruneGuard } from './guard-repository.ts'
import { recordSecurityEvent } from './security-log.ts'

const DAY_MS = 86_400_000
/** Viewer specification §9: "Security check: every 5 minutes and on start". */
const CHECK_EVERY_MS = 300_000
/** Viewer specification §9: more than 50 audit actions in 24 h. */
const ACTIONS_PER_DAY = 50

interface WatchDeps {
  db: Kysely<AdminAuditDb>
  logger: Logger
  now?: () => number
}

/**
 * Notices an admin who does unusually much. Every replica looks; the first to notice marks the admin for
 * the day in the same transaction, so that it is told once.
 */
export class ActivityWatch {
  readonly #deps: WatchDeps
  #timer: NodeJS.Timeout | undefined
  #running: Promise<void> = Promise.resolve()

  constructor(deps: WatchDeps) {
    this.#deps = deps
  }

  start(): void {
    this.#begin()
    this.#timer = setInterval(() => this.#begin(), CHECK_EVERY_MS)
    this.#timer.unref()
  }

  async stop(): Promise<void> {
    clearInterval(this.#timer)
    await this.#running
  }

  #begin(): void {
    this.#running = this.check().catch((error: unknown) => {
      this.#deps.logger.warn({ err: error }, 'the activity of admins could not be checked')
    })
  }

  async check(): Promise<void> {
    const { db, now = Date.now } = this.#deps
    const nowMs = now()
    const limit = ACTIONS_PER_DAY
    const day = new Date(nowMs).toISOString().slice(0, 10)
    for (const { adminUserId, actions } of await findBusyAdmins(db, new Date(nowMs - DAY_MS), limit)) {
      await db.transaction().execute((trx) =>
        recordSecurityEvent(trx, {
          event: 'security_high_activity_detected',
          userId: adminUserId,
          details: { actions, limit, hours: 24 },
          correlationId: null,
          once: { key: `${adminUserId} ${day}`, nowMs, forMs: 2 * DAY_MS },
        }),
      )
    }
    await pruneGuard(db, new Date(nowMs))
  }
}
