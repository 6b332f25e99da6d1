import type { SecurityEvent } from '@looptide/contracts/audit-actions'
import { GUARD_MESSAGES } from '@looptide/contracts/errors'
import type { GuardBody, GuardResult } from '@looptide/contracts/http/admin'
import { AppError, errors } from '@looptide/service-kit/errors'
import type { Logger } from '@looptide/service-kit/logger'
import type { Kysely, Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { AdminAuditDb } from '../../db/schema.ts'
import { countGrants, insertGrant, lockAdmin } from './guard-repository.ts'
import type { RefusedAttempts } from './refused-attempts.ts'
import { recordSecurityEvent } from './security-log.ts'

const HOUR_MS = 3_600_000
/**
 * docs/product/viewer.md §9: more than ten admin actions in an hour are blocked. A rule of the product, not a rate limit of
 * the machine: no setting changes it.
 */
const ACTIONS_PER_HOUR = 10
const TOLD_AGAIN_MS = 60_000

interface GuardDeps {
  db: Kysely<AdminAuditDb>
  logger: Logger
  refusals: RefusedAttempts
  now?: () => number
}

type Verdict = Static<typeof GuardResult> | AppError

/** Says whether a guarded action may run now, and remembers who asked for what they may not. */
export class GuardService {
  readonly #deps: GuardDeps
  readonly #now: () => number

  constructor(deps: GuardDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
  }

  /**
   * Counts and allows the action, or throws `unauthorized`, `forbidden`, `admin_rate_limited` (with
   * `retryAfterMs`); `service_unavailable` when it cannot be told: an unknown answer is a no.
   */
  async check(body: GuardBody): Promise<Static<typeof GuardResult>> {
    const { userId } = body
    if (userId === null) throw errors.unauthorized(GUARD_MESSAGES.unauthorized)
    let verdict: Verdict
    try {
      verdict = await this.#deps.db
        .transaction()
        .execute((trx) =>
          body.role === 'admin' ? this.#count(trx, userId, body) : this.#refuse(trx, userId, body),
        )
    } catch (error) {
      await this.#recordFailure(userId, body, error)
      throw errors.unavailable('The permission check', error)
    }
    if (verdict instanceof AppError) throw verdict
    return verdict
  }

  async #refuse(trx: Transaction<AdminAuditDb>, userId: string, body: GuardBody): Promise<AppError> {
    await this.#deps.refusals.record(trx, {
      userId,
      targetUserId: body.targetUserId ?? null,
      details: { action: body.action, role: body.role },
      correlationId: body.requestId ?? null,
    })
    return errors.forbidden()
  }

  async #count(trx: Transaction<AdminAuditDb>, userId: string, body: GuardBody): Promise<Verdict> {
    await lockAdmin(trx, userId)
    const nowMs = this.#now()
    const limit = ACTIONS_PER_HOUR
    const { used, nthAt } = await countGrants(trx, userId, new Date(nowMs - HOUR_MS), limit)
    if (nthAt !== null) {
      await this.#record(trx, 'security_admin_rate_limit_exceeded', userId, body, { used, limit })
      const retryAfterMs = Math.max(1, nthAt.getTime() + HOUR_MS - nowMs)
      return new AppError('admin_rate_limited', GUARD_MESSAGES.admin_rate_limited, { retryAfterMs })
    }
    await insertGrant(trx, {
      adminUserId: userId,
      action: body.action,
      targetUserId: body.targetUserId ?? null,
      grantedAt: new Date(nowMs),
    })
    return { allowed: true, remaining: limit - used - 1 }
  }

  async #record(
    trx: Transaction<AdminAuditDb>,
    event: SecurityEvent,
    userId: string,
    body: GuardBody,
    details: Record<string, unknown>,
  ): Promise<void> {
    await recordSecurityEvent(trx, {
      event,
      userId,
      targetUserId: body.targetUserId ?? null,
      details: { action: body.action, ...details },
      correlationId: body.requestId ?? null,
      once: { key: `${userId} ${body.action}`, nowMs: this.#now(), forMs: TOLD_AGAIN_MS },
    })
  }

  /** The store may be what is broken: then the process's own log is what is left. */
  async #recordFailure(userId: string, body: GuardBody, error: unknown): Promise<void> {
    const { db, logger } = this.#deps
    logger.error(
      { err: error, userId, action: body.action, requestId: body.requestId },
      'security_permission_check_error',
    )
    const reason = error instanceof Error ? error.message : String(error)
    await db
      .transaction()
      .execute((trx) => this.#record(trx, 'security_permission_check_error', userId, body, { reason }))
      .catch(() => undefined)
  }
}
