import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { FastifyRequest } from 'fastify'
import type { SignInGuard } from '../limits/sign-in-guard.ts'
/** Records the request's network as known for the account if `answer` contains a new session. Returns `answer`. */
export async function recordSignInNetwork(
  request: FastifyRequest,
  answer: Record<string, unknown>,
  { signInGuard }: { signInGuard: SignInGuard },
): Promise<Record<string, unknown>> {
  const user = answer.user
  if ('access_token' in answer && typeof user === 'object' && user !== null && 'id' in user) {
    await signInGuard.recordNetwork(String(user.id), clientIp(request))
  }
  return answer
}
