import type { GuardBody } from '@looptide/contracts/http/admin'
import type { FastifyRequest } from 'fastify'
import { errors } from './errors.ts'
import { callInternal } from './internal.ts'
import { signedIn } from './request-user.ts'

/** Asks admin-audit whether an admin's guarded action may run. Throws 401, 403 or 429, or 503 when it is away. */
export interface Guard {
  /** Resolves when the action may run (and counts it), throws the refusal otherwise. */
  check(request: FastifyRequest, action: string, targetUserId?: string | null): Promise<void>
}

export class HttpGuard implements Guard {
  readonly #url: string
  readonly #internalToken: string

  constructor(adminAuditUrl: string, internalToken: string) {
    this.#url = `${adminAuditUrl}/internal/guard`
    this.#internalToken = internalToken
  }

  async check(request: FastifyRequest, action: string, targetUserId: string | null = null): Promise<void> {
    // Whoever lacks the role is refused here, whether admin-audit answers or not.
    const { id, role } = signedIn(request)
    if (role !== 'admin') throw errors.forbidden()
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
