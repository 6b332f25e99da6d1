import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RecoverBody, RedirectQuery } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { readEmail } from '../../features/accounts/email.ts'
import type { MailService } from '../../features/accounts/mail-service.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import { readPkce } from '../read-body.ts'

/** `POST /recover` */
export const recover: FastifyPluginAsyncTypebox<{ mails: MailService; limits: RateLimits }> = async (
  app,
  { mails, limits },
) => {
  app.post(
    '/recover',
    {
      schema: { body: RecoverBody, querystring: RedirectQuery },
      config: { operation: 'auth.password.recover' },
    },
    async (request) => {
      const email = readEmail(request.body.email)
      const linkOptions = { redirectTo: request.query.redirect_to, challenge: readPkce(request.body) }
      await limits.consumeMail(clientIp(request))
      await mails.recover(email, linkOptions)
      return {}
    },
  )
}
