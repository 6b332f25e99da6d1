import type { RefusedAttempt } from '@looptide/contracts/http/admin'
import { attemptsPerHour } from '@looptide/service-kit/audit/refused-attempts'
import type { Kysely, Transaction } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { claimUntil, countAttempt } from './guard-repository.ts'
import { recordSecurityEvent } from './security-log.ts'

const HOUR_MS = 3_600_000
/** Time for which a repeated report of the same attempt is recognised. */
const DEDUPLICATION_MS = 2 * HOUR_MS

interface Deps {
  db: Kysely<Database>
  /** Multiplies the hourly limit, which protects the log and is not a product rule. */
  rateLimitFactor: number
  now?: () => number
}

/** An attempt as it is written to the log. */
interface Attempt {
  userId: string
  targetUserId: string | null
  details: Record<string, unknown>
  correlationId: string | null
}

/**
 * Records requests that were refused because of a missing role in the audit log. Records a limited number per user and
 * hour across all replicas, then one entry that further attempts are not recorded.
 */
export class RefusedAttempts {
  readonly #deps: Deps
  readonly #limit: number

  constructor(deps: Deps) {
    this.#deps = deps
    this.#limit = attemptsPerHour(deps.rateLimitFactor)
  }

  /** Records attempts that a service reports. An attempt that is reported twice is recorded once. */
  async recordReported(reported: readonly RefusedAttempt[]): Promise<void> {
    // Sorted, so that replicas lock rows in the same order and cannot deadlock.
    const attempts = [...reported].sort((a, b) => compare(a.userId, b.userId) || compare(a.id, b.id))
    await this.#deps.db.transaction().execute(async (trx) => {
      for (const { id, userId, targetUserId, requestId, ...facts } of attempts) {
        const nowMs = this.#nowMs()
        const isNew = await claimUntil(
          trx,
          `refused_attempt ${id}`,
          new Date(nowMs),
          new Date(nowMs + DEDUPLICATION_MS),
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

  /** Records one attempt, in the caller's transaction. */
  async record(trx: Transaction<Database>, attempt: Attempt): Promise<void> {
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
