import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RedirectQuery, ResendBody } from '@looptide/contracts/http/auth'
import { AuthError } from '../auth-error.ts'
import { addressOf } from '../client-of.ts'
import { readEmail, readPkce } from '../read-body.ts'
import type { AuthRoutesDeps } from './index.ts'
import { refusePhone } from './refuse-phone.ts'

/** `POST /resend` of a confirmation. */
export const resend: FastifyPluginAsyncTypebox<AuthRoutesDeps> = async (app, { mails, limits }) => {
  app.post(
    '/resend',
    {
      schema: { body: ResendBody, querystring: RedirectQuery },
      config: { operation: 'auth.confirmation.resend' },
      preValidation: refusePhone,
    },
    async (request) => {
      if (request.body.type !== 'signup') throw AuthError.validation('Only type signup can be sent again')
      const email = readEmail(request.body.email)
      const wishes = { redirectTo: request.query.redirect_to, challenge: readPkce(request.body) }
      await limits.take(['mail-address', addressOf(request)])
      await mails.resendSignUp(email, wishes)
      return {}
    },
  )
}
