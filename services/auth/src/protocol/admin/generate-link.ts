import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RedirectQuery } from '@looptide/contracts/http/auth'
import { GenerateLinkBody } from '@looptide/contracts/http/auth-admin'
import { readEmail } from '../../features/accounts/email.ts'
import { requireSmall } from '../../features/accounts/metadata.ts'
import { LINK_TYPES, type LinkRequest } from '../../features/administration/link-service.ts'
import { AuthError } from '../auth-error.ts'
import { readMetadata } from '../read-body.ts'
import type { AdminRoutesDeps } from './admin-routes-deps.ts'
import { serviceKeyCause } from './require-service-key.ts'

/** `POST /admin/generate_link`: a link and its code, which the caller passes to the user. */
export const generateLink: FastifyPluginAsyncTypebox<AdminRoutesDeps> = async (
  app,
  { administration, links, redirects },
) => {
  app.post(
    '/admin/generate_link',
    {
      schema: { body: GenerateLinkBody, querystring: RedirectQuery },
      config: { operation: 'auth.admin.link.generate' },
    },
    async (request) => {
      const redirectTo = request.query.redirect_to ?? request.body.redirect_to
      const link = readLinkRequest(request.body, redirectTo)
      const { user, issued, type } = await links.generate(link, serviceKeyCause(request))
      return {
        ...(await administration.present(user)),
        action_link: issued.link,
        email_otp: issued.code,
        hashed_token: issued.tokenHash,
        redirect_to: redirects.resolve(redirectTo).href,
        verification_type: type,
      }
    },
  )
}

function readLinkRequest(body: GenerateLinkBody, redirectTo: unknown): LinkRequest {
  const type = LINK_TYPES.find((known) => known === body.type)
  if (type === undefined) throw AuthError.validation('Invalid email action link type requested')
  const newEmail = body.new_email ?? ''
  return {
    type,
    email: readEmail(body.email),
    password: body.password ?? null,
    newEmail: newEmail === '' ? null : readEmail(newEmail),
    userMetadata: requireSmall(readMetadata(body.data)),
    redirectTo,
  }
}
