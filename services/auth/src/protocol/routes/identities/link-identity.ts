import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuthorizeQuery } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { RedirectPolicy } from '../../../features/codes/redirect-policy.ts'
import type { IdentityService } from '../../../features/identities/identity-service.ts'
import type { ProviderFlows } from '../../../features/identities/provider-flows.ts'
import type { RateLimits } from '../../../limits/rate-limits.ts'
import { callerOf } from '../../bearer.ts'
import { readFlowStart } from './read-flow-start.ts'

export interface IdentityRouteDeps {
  limits: RateLimits
  redirects: RedirectPolicy
  providerFlows: ProviderFlows
  identities: IdentityService
}

/** `GET /user/identities/authorize`: the authorization URL, to which the app redirects the browser. */
export const linkIdentity: FastifyPluginAsyncTypebox<IdentityRouteDeps> = async (app, deps) => {
  app.get(
    '/user/identities/authorize',
    { schema: { querystring: AuthorizeQuery }, config: { operation: 'auth.identity.link' } },
    async (request) => {
      const caller = callerOf(request)
      deps.identities.requireLinking()
      const start = readFlowStart(request.query, deps)
      await deps.limits.consume(['provider-network', clientIp(request)], ['identity-account', caller.user.id])
      return { url: (await deps.identities.beginLink(caller, start)).href }
    },
  )
}
