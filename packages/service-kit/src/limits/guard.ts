import { GUARDED_ACTIONS, type GuardedAction } from '@looptide/contracts/guarded-actions'
import type { GuardBody } from '@looptide/contracts/http/admin'
import type { FastifyRequest } from 'fastify'
import { callInternal } from '../identity/internal.ts'
import { requireFreshFactor, requirePermission, signedIn } from '../identity/request-user.ts'

/**
 * Checks with admin-audit whether a user may run a guarded action. Throws 401, 403 (also if the second factor was verified
 * more than ten minutes ago) or 429, or 503 if admin-audit is unavailable.
 */
export interface Guard {
  /** Counts the action and resolves if it may run; throws otherwise. */
  check(request: FastifyRequest, action: GuardedAction, targetUserId?: string | null): Promise<void>
}

/** Asks the guard of admin-audit over HTTP. It fails closed: without an answer the action is refused. */
export class HttpGuard implements Guard {
  readonly #url: string
  readonly #internalToken: string

  constructor(adminAuditUrl: string, internalToken: string) {
    this.#url = `${adminAuditUrl}/internal/guard`
    this.#internalToken = internalToken
  }

  async check(
    request: FastifyRequest,
    action: GuardedAction,
    targetUserId: string | null = null,
  ): Promise<void> {
    // Refused here, so that a user without the permission gets 403 even if admin-audit is unavailable.
    requirePermission(request, GUARDED_ACTIONS[action])
    // A takeover is urgent, so it needs no recent second factor.
    if (action !== 'stream.takeover.moderator') requireFreshFactor(request)
    const { id, role } = signedIn(request)
    const body: GuardBody = {
      userId: id,
      role,
      action,
      targetUserId,
      requestId: request.id,
    }
    await callInternal(this.#url, 'The audit service', {
      method: 'POST',
      body,
      internalToken: this.#internalToken,
      requestId: request.id,
    })
  }
}
