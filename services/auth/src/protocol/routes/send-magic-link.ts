import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { OtpBody, RedirectQuery } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { readEmail } from '../../features/accounts/email.ts'
import type { MailService } from '../../features/accounts/mail-service.ts'
import { requireSmall } from '../../features/accounts/metadata.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import { clientOf } from '../client-of.ts'
import { readMetadata, readPkce } from '../read-body.ts'
import { refusePhone } from './refuse-phone.ts'

/** `POST /otp` */
export const sendMagicLink: FastifyPluginAsyncTypebox<{ mails: MailService; limits: RateLimits }> = async (
  app,
  { mails, limits },
) => {
  app.post(
    '/otp',
    {
      schema: { body: OtpBody, querystring: RedirectQuery },
      config: { operation: 'auth.magic_link.send' },
      preValidation: refusePhone,
    },
    async (request) => {
      const { body } = request
      const email = readEmail(body.email)
      const userMetadata = requireSmall(readMetadata(body.data))
      const linkOptions = { redirectTo: request.query.redirect_to, challenge: readPkce(body) }
      await limits.consumeMail(clientIp(request))
      const createUser = body.create_user ?? true
      await mails.sendMagicLink({ email, userMetadata, createUser, linkOptions }, clientOf(request))
      return {}
    },
  )
}
