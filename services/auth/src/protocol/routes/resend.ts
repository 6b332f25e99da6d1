import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RedirectQuery, ResendBody } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { readEmail } from '../../features/accounts/email.ts'
import type { EmailChangeService } from '../../features/accounts/email-change-service.ts'
import type { MailService } from '../../features/accounts/mail-service.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import { AuthError } from '../auth-error.ts'
import { readPkce } from '../read-body.ts'
import { refusePhone } from './refuse-phone.ts'

interface ResendDeps {
  mails: MailService
  emailChanges: EmailChangeService
  limits: RateLimits
}

/** `POST /resend`: a confirmation mail, or the mails of an email change (`email` is the current email). */
export const resend: FastifyPluginAsyncTypebox<ResendDeps> = async (app, { mails, emailChanges, limits }) => {
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
      const linkOptions = { redirectTo: request.query.redirect_to, challenge: readPkce(request.body) }
      await limits.consumeMail(clientIp(request))
      if (type === 'signup') await mails.resendSignUp(email, linkOptions)
      else await emailChanges.resend(email, linkOptions)
      return {}
    },
  )
}
