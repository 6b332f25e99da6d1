import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { VerifyBody } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/client-ip'
import { slotsOf } from '../../features/codes/slots.ts'
import { HALF_WAY, type Outcome } from '../../features/codes/verification-service.ts'
import { AuthError } from '../auth-error.ts'
import { clientOf } from '../client-of.ts'
import { rememberNetwork } from '../remember-network.ts'
import type { AuthRoutesDeps } from './index.ts'
import { refusePhone } from './refuse-phone.ts'

/** `POST /verify`: a page that read the link's token, or somebody who typed the code. */
export const verifyCode: FastifyPluginAsyncTypebox<AuthRoutesDeps> = async (app, deps) => {
  app.post(
    '/verify',
    { schema: { body: VerifyBody }, config: { operation: 'auth.code.verify' }, preValidation: refusePhone },
    async (request) => {
      await deps.limits.take(['verify-network', clientIp(request)])
      const outcome = await spend(request.body, deps, clientOf(request))
      if (outcome.kind !== 'session') return { msg: HALF_WAY, code: '200' }
      return rememberNetwork(request, await deps.sessions.present(outcome), deps)
    },
  )
}

function spend(
  body: VerifyBody,
  { verifications }: AuthRoutesDeps,
  client: ReturnType<typeof clientOf>,
): Promise<Outcome> {
  const slots = slotsOf(body.type)
  if (slots === undefined) throw AuthError.validation('Verify requires a known verification type')
  if (typeof body.token_hash === 'string' && body.token_hash !== '') {
    return verifications.byToken(body.token_hash, slots, 'session', client)
  }
  if (typeof body.email !== 'string' || typeof body.token !== 'string') {
    throw AuthError.validation('Verify requires either a token_hash, or an email and a token')
  }
  return verifications.byCode(body.email.toLowerCase(), body.token, slots, client)
}
