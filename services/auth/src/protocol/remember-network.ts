import { clientIp } from '@looptide/service-kit/client-ip'
import type { FastifyRequest } from 'fastify'
import type { SignInGuard } from '../limits/sign-in-guard.ts'

/**
 * Notes that the person of `answer` signed in from the request's network, if `answer` is a new session; answers the
 * same again.
 */
export async function rememberNetwork(
  request: FastifyRequest,
  answer: Record<string, unknown>,
  { signInGuard }: { signInGuard: SignInGuard },
): Promise<Record<string, unknown>> {
  const user = answer.user
  if ('access_token' in answer && typeof user === 'object' && user !== null && 'id' in user) {
    await signInGuard.remember(String(user.id), clientIp(request))
  }
  return answer
}
