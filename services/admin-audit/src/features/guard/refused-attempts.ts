import type { RefusedAttempt } from '@looptide/contracts/http/admin'
import { attemptsPerHour } from '@looptide/service-kit/refused-attempts'
import type { Kysely, Transaction } from 'kysely'
import type { AdminAuditDb } from '../../db/schema.ts'
import { countAttempt, markUntil } from './guard-repository.ts'
import { recordSecurityEvent } from './security-log.ts'

const HOUR_MS = 3_600_000
/** How long an attempt that was reported before is recognised. */
const KNOWN_FOR_MS = 2 * HOUR_MS

interface Deps {
  db: Kysely<AdminAuditDb>
  /** Multiplies the hourly limit: it protects the log, and is no rule of the product. */
  rateLimitFactor: number
  now?: () => number
}

/** An attempt as the log tells it. */
interface Attempt {
  userId: string
  targetUserId: string | null
  details: Record<string, unknown>
  correlationId: string | null
}

/**
 * Writes requests that were refused for want of a role into the audit log: of each user so many an hour over all
 * replicas, then one entry that says that more were not recorded.
 */
export class RefusedAttempts {
  readonly #deps: Deps
  readonly #limit: number

  constructor(deps: Deps) {
    this.#deps = deps
    this.#limit = attemptsPerHour(deps.rateLimitFactor)
  }

  /** What a service reports. The same attempt may be reported twice and is recorded once. */
  async recordReported(reported: readonly RefusedAttempt[]): Promise<void> {
    // In one order for all replicas: none waits for a row of another that waits for one of its own.
    const attempts = [...reported].sort((a, b) => compare(a.userId, b.userId) || compare(a.id, b.id))
    await this.#deps.db.transaction().execute(async (trx) => {
      for (const { id, userId, targetUserId, requestId, ...facts } of attempts) {
        const nowMs = this.#nowMs()
        const isNew = await markUntil(
          trx,
          `refused_attempt ${id}`,
          new Date(nowMs),
          new Date(nowMs + KNOWN_FOR_MS),
        )
        if (!isNew) continue
        const { occurredAt, ...details } = facts
        await this.record(trx, {
          userId,
          targetUserId,
          details: { ...details, refusedAt: occurredAt },
          correlationId: requestId === '' ? null : requestId,
        })
      }
    })
  }

  /** One attempt, in the transaction of whoever refuses it. */
  async record(trx: Transaction<AdminAuditDb>, attempt: Attempt): Promise<void> {
    const hourMs = Math.floor(this.#nowMs() / HOUR_MS) * HOUR_MS
    const attempts = await countAttempt(trx, attempt.userId, new Date(hourMs))
    if (attempts > this.#limit + 1) return
    const event = 'security_unauthorized_admin_attempt'
    if (attempts <= this.#limit) return recordSecurityEvent(trx, { event, ...attempt })
    const details = { notRecordedUntil: new Date(hourMs + HOUR_MS).toISOString(), limit: this.#limit }
    return recordSecurityEvent(trx, { event, ...attempt, targetUserId: null, details })
  }

  #nowMs(): number {
    return (this.#deps.now ?? Date.now)()
  }
}

const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
