import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RedirectQuery, SignUpBody } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { AccountService } from '../../features/accounts/account-service.ts'
import { readEmail } from '../../features/accounts/email.ts'
import { requireSmall } from '../../features/accounts/metadata.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import type { SignInGuard } from '../../limits/sign-in-guard.ts'
import type { SignUpGuard } from '../../limits/sign-up-guard.ts'
import { AuthError } from '../auth-error.ts'
import { clientOf } from '../client-of.ts'
import { readMetadata, readPkce, readProof } from '../read-body.ts'
import { recordSignInNetwork } from '../record-network.ts'

interface SignUpDeps {
  accounts: AccountService
  limits: RateLimits
  signInGuard: SignInGuard
  signUpGuard: SignUpGuard
  mailConfirmation: boolean
}

/** `POST /signup` */
export const signUp: FastifyPluginAsyncTypebox<SignUpDeps> = async (app, deps) => {
  const { accounts, limits, signUpGuard, mailConfirmation } = deps
  app.post(
    '/signup',
    {
      schema: { body: SignUpBody, querystring: RedirectQuery },
      config: { operation: 'auth.user.sign_up' },
      preValidation: async (request) => refuseUnsupportedSignUps(request.body),
    },
    async (request) => {
      const { body } = request
      const email = readEmail(body.email)
      const userMetadata = requireSmall(readMetadata(body.data))
      const linkOptions = { redirectTo: request.query.redirect_to, challenge: readPkce(body) }
      await signUpGuard.admit({ email, ip: clientIp(request), proof: readProof(body) })
      await limits.consumeSignUp(clientIp(request))
      if (mailConfirmation) await limits.consumeStationMail()
      const answer = await accounts.signUp(
        { email, password: body.password, userMetadata, linkOptions },
        clientOf(request),
      )
      return recordSignInNetwork(request, answer, deps)
    },
  )
}

/** Refuses phone and anonymous sign-ups. Clients can send them, but they are not offered. */
function refuseUnsupportedSignUps(body: unknown): void {
  if (typeof body !== 'object' || body === null || 'email' in body) return
  if ('phone' in body) throw new AuthError('phone_provider_disabled', 'Phone signups are disabled')
  if ('data' in body && !('password' in body)) {
    throw new AuthError('anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  }
}
