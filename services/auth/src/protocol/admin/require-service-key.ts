import type { Cause } from '@looptide/service-kit/events/outbox'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { FastifyRequest } from 'fastify'
import type { Kysely } from 'kysely'
import { sha256 } from '../../crypto/one-time-secret.ts'
import { sameBytes } from '../../crypto/vault.ts'
import type { Database } from '../../db/schema.ts'
import type { AccessTokens } from '../../features/keys/access-tokens.ts'
import type { RateLimits } from '../../features/limits/rate-limits.ts'
import { bearerOf, readCaller } from '../bearer.ts'
import { refuseAdminAction } from '../refuse-admin-action.ts'

export interface ServiceKeyDeps {
  db: Kysely<Database>
  tokens: AccessTokens
  limits: RateLimits
  /** The accepted keys. Without any, every request is refused. */
  serviceKeys: readonly string[]
  reportRefusal: (request: FastifyRequest) => void
}

/**
 * Hook that requires a service key as the bearer token of the operator's operations. A user's token gets `not_admin` independently of the role, and
 * the attempt enters the audit log; anything else is refused like a token that is missing or not valid.
 */
export function requireServiceKey(deps: ServiceKeyDeps) {
  const digests = deps.serviceKeys.map(sha256)
  return async (request: FastifyRequest): Promise<void> => {
    if (request.routeOptions.config.definition?.audience !== 'service-key') return
    await deps.limits.consume(['admin-network', clientIp(request)])
    const given = sha256(bearerOf(request) ?? '')
    // Digests have one length, and every key is compared: the time reveals nothing about the keys.
    const matches = digests.map((digest) => sameBytes(digest, given))
    if (matches.includes(true)) return
    const caller = await readCaller(request, deps)
    throw await refuseAdminAction(request, caller, deps, 'User not allowed')
  }
}

/** The cause of what a request with the service key changes. */
export const serviceKeyCause = (request: FastifyRequest): Cause => ({
  actorId: null,
  correlationId: request.id,
  by: 'service key',
})
