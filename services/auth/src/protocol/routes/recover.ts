import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RecoverBody, RedirectQuery } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/client-ip'
import { readEmail, readPkce } from '../read-body.ts'
import type { AuthRoutesDeps } from './index.ts'

/** `POST /recover` */
export const recover: FastifyPluginAsyncTypebox<AuthRoutesDeps> = async (app, { mails, limits }) => {
  app.post(
    '/recover',
    {
      schema: { body: RecoverBody, querystring: RedirectQuery },
      config: { operation: 'auth.password.recover' },
    },
    async (request) => {
      const email = readEmail(request.body.email)
      const wishes = { redirectTo: request.query.redirect_to, challenge: readPkce(request.body) }
      await limits.takeMail(clientIp(request))
      await mails.recover(email, wishes)
      return {}
    },
  )
}
