import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { VerifyAuthenticationBody } from '@looptide/contracts/http/passkeys'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { PasskeySignIn } from '../../../features/passkeys/passkey-sign-in.ts'
import { clientOf } from '../../../features/sign-ins/client-of.ts'
import type { LimitedAttempt, RateLimits } from '../../../limits/rate-limits.ts'
import type { SignInGuard } from '../../../limits/sign-in-guard.ts'
import { recordSignInNetwork } from '../../record-network.ts'

interface PasskeySignInDeps {
  passkeySignIn: PasskeySignIn
  limits: RateLimits
  signInGuard: SignInGuard
}

/** `POST /passkeys/authentication/options` and `/verify` */
export const signInWithPasskey: FastifyPluginAsyncTypebox<PasskeySignInDeps> = async (app, deps) => {
  const { passkeySignIn, limits } = deps
  app.post(
    '/passkeys/authentication/options',
    { config: { operation: 'auth.passkey.authentication_options' } },
    async (request) => {
      await limits.consume(['passkey-challenge-network', clientIp(request)])
      return passkeySignIn.options()
    },
  )
  app.post(
    '/passkeys/authentication/verify',
    { schema: { body: VerifyAuthenticationBody }, config: { operation: 'auth.passkey.authenticate' } },
    async (request) => {
      const attempt: LimitedAttempt = ['passkey-network', clientIp(request)]
      await limits.consume(attempt)
      const { challenge_id: challengeId, credential } = request.body
      const session = await passkeySignIn.signIn(challengeId, credential, clientOf(request))
      await limits.refund(attempt)
      return recordSignInNetwork(request, session, deps)
    },
  )
}
