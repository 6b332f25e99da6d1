import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RedirectQuery, ResendBody } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/client-ip'
import { AuthError } from '../auth-error.ts'
import { readEmail, readPkce } from '../read-body.ts'
import type { AuthRoutesDeps } from './index.ts'
import { refusePhone } from './refuse-phone.ts'

/** `POST /resend` of a confirmation, or of the mails about a change of address (`email` is the present one). */
export const resend: FastifyPluginAsyncTypebox<AuthRoutesDeps> = async (
  app,
  { mails, emailChanges, limits },
) => {
  app.post(
    '/resend',
    {
      schema: { body: ResendBody, querystring: RedirectQuery },
      config: { operation: 'auth.confirmation.resend' },
      preValidation: refusePhone,
    },
    async (request) => {
      const { type } = request.body
      if (type !== 'signup' && type !== 'email_change') {
        throw AuthError.validation('Only types signup and email_change can be sent again')
      }
      const email = readEmail(request.body.email)
      const wishes = { redirectTo: request.query.redirect_to, challenge: readPkce(request.body) }
      await limits.takeMail(clientIp(request))
      if (type === 'signup') await mails.resendSignUp(email, wishes)
      else await emailChanges.resend(email, wishes)
      return {}
    },
  )
}
