import type { SecurityEvent } from '@looptide/contracts/audit-actions'
import { GUARD_MESSAGES } from '@looptide/contracts/errors'
import {
  DANGEROUS_ACTIONS_PER_HOUR,
  GUARDED_ACTIONS,
  REVERSIBLE_ACTIONS,
  REVERSIBLE_ACTIONS_PER_HOUR,
} from '@looptide/contracts/guarded-actions'
import type { GuardBody, GuardResult } from '@looptide/contracts/http/admin'
import { may, type Permission } from '@looptide/contracts/permissions'
import { AppError, errors } from '@looptide/service-kit/http/errors'
import type { Logger } from '@looptide/service-kit/telemetry/logger'
import type { Kysely, Transaction } from 'kysely'
import type { Static } from 'typebox'
import type { Database } from '../../db/schema.ts'
import { countGrants, insertGrant, lockGuardOf } from './guard-repository.ts'
import type { RefusedAttempts } from './refused-attempts.ts'
import { recordSecurityEvent } from './security-log.ts'

const HOUR_MS = 3_600_000
/** Minimum interval between equal security events, in ms. */
const EVENT_INTERVAL_MS = 60_000

interface GuardDeps {
  db: Kysely<Database>
  logger: Logger
  refusals: RefusedAttempts
  now?: () => number
}

type GuardDecision = Static<typeof GuardResult> | AppError

/** Decides whether a guarded action may run now, and records refused attempts. */
export class GuardService {
  readonly #deps: GuardDeps
  readonly #now: () => number

  constructor(deps: GuardDeps) {
    this.#deps = deps
    this.#now = deps.now ?? Date.now
  }

  /**
   * Counts and allows the action, or throws `unauthorized`, `forbidden`, or `admin_rate_limited` with `retryAfterMs`. Throws
   * `service_unavailable` if the check fails: the action is then not allowed.
   */
  async check(body: GuardBody): Promise<Static<typeof GuardResult>> {
    const { userId } = body
    if (userId === null) throw errors.unauthorized(GUARD_MESSAGES.unauthorized)
    let decision: GuardDecision
    try {
      decision = await this.#deps.db
        .transaction()
        .execute((trx) => (mayRun(body) ? this.#count(trx, userId, body) : this.#refuse(trx, userId, body)))
    } catch (error) {
      await this.#recordFailure(userId, body, error)
      throw errors.unavailable('The permission check', error)
    }
    if (decision instanceof AppError) throw decision
    return decision
  }

  async #refuse(trx: Transaction<Database>, userId: string, body: GuardBody): Promise<AppError> {
    await this.#deps.refusals.record(trx, {
      userId,
      targetUserId: body.targetUserId ?? null,
      details: { action: body.action, role: body.role },
      correlationId: body.requestId ?? null,
    })
    return errors.forbidden()
  }

  async #count(trx: Transaction<Database>, userId: string, body: GuardBody): Promise<GuardDecision> {
    await lockGuardOf(trx, userId)
    const nowMs = this.#now()
    const isReversible = REVERSIBLE_ACTIONS.includes(body.action)
    const limit = isReversible ? REVERSIBLE_ACTIONS_PER_HOUR : DANGEROUS_ACTIONS_PER_HOUR
    const counted = { adminUserId: userId, isReversible }
    const { used, nthAt } = await countGrants(trx, counted, new Date(nowMs - HOUR_MS), limit)
    if (nthAt !== null) {
      await this.#record(trx, 'security_admin_rate_limit_exceeded', userId, body, { used, limit })
      return tooManyActions(limit, nthAt.getTime() + HOUR_MS, nowMs)
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
    trx: Transaction<Database>,
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
      once: { key: `${userId} ${body.action}`, nowMs: this.#now(), forMs: EVENT_INTERVAL_MS },
    })
  }

  /** Records a failed check in the process's log, and in the audit log if the database works. */
  async #recordFailure(userId: string, body: GuardBody, error: unknown): Promise<void> {
    const { db, logger } = this.#deps
    logger.error({ err: error, userId, action: body.action, requestId: body.requestId }, 'guard check failed')
    const reason = error instanceof Error ? error.message : String(error)
    await db
      .transaction()
      .execute((trx) => this.#record(trx, 'security_permission_check_error', userId, body, { reason }))
      .catch(() => undefined)
  }
}

/** The refusal of an action over the limit: says how many are allowed, and when the next one is. */
function tooManyActions(limit: number, nextAtMs: number, nowMs: number): AppError {
  return new AppError('admin_rate_limited', GUARD_MESSAGES.admin_rate_limited, {
    retryAfterMs: Math.max(1, nextAtMs - nowMs),
    details: [
      { path: '/limitPerHour', message: String(limit) },
      { path: '/retryAt', message: new Date(nextAtMs).toISOString() },
    ],
  })
}

/** Whether the role has the permission that the action needs. An unknown action is refused. */
function mayRun({ role, action }: GuardBody): boolean {
  const permission = new Map<string, Permission>(Object.entries(GUARDED_ACTIONS)).get(action)
  return permission !== undefined && may(role, permission)
}
