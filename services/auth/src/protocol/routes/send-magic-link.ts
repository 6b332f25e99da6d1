import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { OtpBody, RedirectQuery } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/client-ip'
import { clientOf } from '../client-of.ts'
import { readEmail, readMetadata, readPkce, requireSmall } from '../read-body.ts'
import type { AuthRoutesDeps } from './index.ts'
import { refusePhone } from './refuse-phone.ts'

/** `POST /otp` */
export const sendMagicLink: FastifyPluginAsyncTypebox<AuthRoutesDeps> = async (app, { mails, limits }) => {
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
      const wishes = { redirectTo: request.query.redirect_to, challenge: readPkce(body) }
      await limits.takeMail(clientIp(request))
      const createUser = body.create_user ?? true
      await mails.magicLink({ email, userMetadata, createUser, wishes }, clientOf(request))
      return {}
    },
  )
}
