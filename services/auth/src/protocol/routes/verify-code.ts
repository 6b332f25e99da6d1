import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { VerifyBody } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { VerificationService } from '../../features/accounts/verification-service.ts'
import { ONE_SIDE_CONFIRMED_MESSAGE, type Outcome } from '../../features/accounts/verification-service.ts'
import { slotsOf } from '../../features/codes/slots.ts'
import type { SessionService } from '../../features/sessions/session-service.ts'
import { clientOf } from '../../features/sign-ins/client-of.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import type { SignInGuard } from '../../limits/sign-in-guard.ts'
import { AuthError } from '../auth-error.ts'
import { recordSignInNetwork } from '../record-network.ts'
import { refusePhone } from './refuse-phone.ts'

interface VerifyCodeDeps {
  verifications: VerificationService
  sessions: SessionService
  limits: RateLimits
  signInGuard: SignInGuard
}

/** `POST /verify`: redeems the token of a mailed link or the six-digit code. */
export const verifyCode: FastifyPluginAsyncTypebox<VerifyCodeDeps> = async (app, deps) => {
  app.post(
    '/verify',
    { schema: { body: VerifyBody }, config: { operation: 'auth.code.verify' }, preValidation: refusePhone },
    async (request) => {
      await deps.limits.consume(['verify-network', clientIp(request)])
      const outcome = await redeem(request.body, deps, clientOf(request))
      if (outcome.kind !== 'session') return { msg: ONE_SIDE_CONFIRMED_MESSAGE, code: '200' }
      return recordSignInNetwork(request, await deps.sessions.present(outcome), deps)
    },
  )
}

function redeem(
  body: VerifyBody,
  { verifications }: VerifyCodeDeps,
  client: ReturnType<typeof clientOf>,
): Promise<Outcome> {
  const slots = slotsOf(body.type)
  if (slots === undefined) throw AuthError.validation('Verify requires a known verification type')
  if (typeof body.token_hash === 'string' && body.token_hash !== '') {
    return verifications.redeemToken(body.token_hash, slots, 'session', client)
  }
  if (typeof body.email !== 'string' || typeof body.token !== 'string') {
    throw AuthError.validation('Verify requires either a token_hash, or an email and a token')
  }
  return verifications.redeemCode(body.email.toLowerCase(), body.token, slots, client)
}
