import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AuthorizeQuery } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { RedirectPolicy } from '../../../features/codes/redirect-policy.ts'
import type { ProviderFlows } from '../../../features/identities/provider-flows.ts'
import type { RateLimits } from '../../../limits/rate-limits.ts'
import { toRedirectError, writeError } from '../redirect-error.ts'
import { readFlowStart } from './read-flow-start.ts'

interface AuthorizeDeps {
  providerFlows: ProviderFlows
  redirects: RedirectPolicy
  limits: RateLimits
}

/**
 * `GET /authorize?provider&redirect_to&code_challenge&code_challenge_method`: sends the browser to a provider, or back to
 * the app with an error. A request that no app sends gets an error as JSON.
 */
export const authorize: FastifyPluginAsyncTypebox<AuthorizeDeps> = async (app, deps) => {
  const { providerFlows, limits } = deps
  app.get(
    '/authorize',
    {
      schema: { querystring: AuthorizeQuery },
      config: { operation: 'auth.provider.authorize' },
      // Each request stores a row.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      const start = readFlowStart(request.query, deps)
      const { redirectTo: target } = start
      try {
        await limits.consume(['provider-network', clientIp(request)])
        const url = await providerFlows.begin({ ...start, session: null })
        return await reply.redirect(url.href, 302)
      } catch (error) {
        writeError(target, toRedirectError(error, request), true)
        return reply.redirect(target.href, 303)
      }
    },
  )
}
