import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RedirectQuery, SignUpBody } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/client-ip'
import { AuthError } from '../auth-error.ts'
import { clientOf } from '../client-of.ts'
import { readEmail, readMetadata, readPkce, requireSmall } from '../read-body.ts'
import { rememberNetwork } from '../remember-network.ts'
import type { AuthRoutesDeps } from './index.ts'

/** `POST /signup` */
export const signUp: FastifyPluginAsyncTypebox<AuthRoutesDeps> = async (app, deps) => {
  const { accounts, limits, mailConfirmation } = deps
  app.post(
    '/signup',
    {
      schema: { body: SignUpBody, querystring: RedirectQuery },
      config: { operation: 'auth.user.sign_up' },
      preValidation: async (request) => refuseOtherKinds(request.body),
    },
    async (request) => {
      const { body } = request
      const email = readEmail(body.email)
      const userMetadata = requireSmall(readMetadata(body.data))
      const wishes = { redirectTo: request.query.redirect_to, challenge: readPkce(body) }
      await limits.takeSignUp(clientIp(request))
      if (mailConfirmation) await limits.takeStationMail()
      const answer = await accounts.signUp(
        { email, password: body.password, userMetadata, wishes },
        clientOf(request),
      )
      return rememberNetwork(request, answer, deps)
    },
  )
}

/** Telephone numbers and accounts without an address are spoken by the clients but not offered here. */
function refuseOtherKinds(body: unknown): void {
  if (typeof body !== 'object' || body === null || 'email' in body) return
  if ('phone' in body) throw new AuthError('phone_provider_disabled', 'Phone signups are disabled')
  if ('data' in body && !('password' in body)) {
    throw new AuthError('anonymous_provider_disabled', 'Anonymous sign-ins are disabled')
  }
}
