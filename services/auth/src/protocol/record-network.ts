import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { FastifyRequest } from 'fastify'
import { decodeJwt } from 'jose'
import type { SignInGuard } from '../features/limits/sign-in-guard.ts'

/**
 * Records the request's network as known for the account if `answer` contains a session whose sign-in is complete. Returns
 * `answer`. Where a second factor is missing, the password alone does not make a network known: a thief of the password
 * would get the owner's budgets.
 */
export async function recordSignInNetwork(
  request: FastifyRequest,
  answer: Record<string, unknown>,
  { signInGuard }: { signInGuard: SignInGuard },
): Promise<Record<string, unknown>> {
  const { user, access_token: token } = answer
  const isSession = typeof token === 'string' && typeof user === 'object' && user !== null && 'id' in user
  if (isSession && decodeJwt(token).second_factor !== 'pending') {
    await signInGuard.recordNetwork(String(user.id), clientIp(request))
  }
  return answer
}
