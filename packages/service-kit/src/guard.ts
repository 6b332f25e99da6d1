import type { GuardBody } from '@looptide/contracts/http/admin'
import type { FastifyRequest } from 'fastify'
import { callInternal } from './internal.ts'

/** Asks admin-audit whether a guarded action may run. Throws its 401, 403 or 429, or 503 when it is away. */
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
    const body: GuardBody = {
      userId: request.user?.id ?? null,
      role: request.user?.role ?? 'anonymous',
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
