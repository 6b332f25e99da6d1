import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RedirectQuery } from '@looptide/contracts/http/auth'
import { InviteBody } from '@looptide/contracts/http/auth-admin'
import { readEmail } from '../../features/accounts/email.ts'
import { requireSmall } from '../../features/accounts/metadata.ts'
import { readMetadata } from '../read-body.ts'
import type { AdminRoutesDeps } from './admin-routes-deps.ts'
import { serviceKeyCause } from './require-service-key.ts'

/** `POST /invite` */
export const inviteUser: FastifyPluginAsyncTypebox<AdminRoutesDeps> = async (
  app,
  { administration, links, mailGuard },
) => {
  app.post(
    '/invite',
    {
      schema: { body: InviteBody, querystring: RedirectQuery },
      config: { operation: 'auth.admin.user.invite' },
    },
    async (request) => {
      const email = readEmail(request.body.email)
      const userMetadata = requireSmall(readMetadata(request.body.data))
      // Counted only: strangers must not be able to keep the operator from inviting.
      await mailGuard.countForStation()
      const invitation = { email, userMetadata, redirectTo: request.query.redirect_to }
      return administration.present(await links.invite(invitation, serviceKeyCause(request)))
    },
  )
}
