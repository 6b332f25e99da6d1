import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { FastifyRequest } from 'fastify'
import type { Caller } from '../../../features/accounts/caller.ts'
import type { Client } from '../../../features/sessions/session-service.ts'
import { clientOf } from '../../../features/sign-ins/client-of.ts'
import { requireAddress } from '../../../features/users/require-address.ts'
import type { RateLimits } from '../../../limits/rate-limits.ts'
import type { SignInGuard } from '../../../limits/sign-in-guard.ts'
import { callerCause, callerOf } from '../../bearer.ts'

export interface FactorRouteDeps {
  limits: RateLimits
  signInGuard: SignInGuard
}

/**
 * The caller of a request about second factors, which counts for its network. Errors: `email_not_confirmed` for an
 * anonymous user.
 */
export async function readFactorCaller(
  request: FastifyRequest,
  deps: FactorRouteDeps,
): Promise<{ caller: Caller; client: Client }> {
  await deps.limits.consume(['factor-network', clientIp(request)])
  const caller = callerOf(request)
  requireAddress(caller.user)
  return { caller, client: { ...clientOf(request), cause: callerCause(caller, request) } }
}
