import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CallbackQuery } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { ProviderFlows } from '../../../features/identities/provider-flows.ts'
import type { RateLimits } from '../../../limits/rate-limits.ts'
import { toRedirectError, writeError } from '../redirect-error.ts'

interface CallbackDeps {
  providerFlows: ProviderFlows
  /** `site`: the target of a browser whose flow is unknown. */
  redirects: { site: string }
  limits: RateLimits
}

/** `GET /callback?code&state&iss`: the browser returns from the provider. Always responds 303. */
export const returnFromProvider: FastifyPluginAsyncTypebox<CallbackDeps> = async (app, deps) => {
  const { providerFlows, redirects, limits } = deps
  app.get(
    '/callback',
    {
      schema: { querystring: CallbackQuery },
      config: { operation: 'auth.provider.return' },
      // A HEAD request must not use up the state.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      let target = new URL(redirects.site)
      try {
        await limits.consume(['provider-network', clientIp(request)])
        const end = await providerFlows.finish(answerOf(request.query))
        target = new URL(end.redirectTo)
        if ('error' in end) throw end.error
        target.searchParams.set('code', end.code)
      } catch (error) {
        writeError(target, toRedirectError(error, request), true)
      }
      return reply.redirect(target.href, 303)
    },
  )
}

/** The parameters that the station verifies. */
function answerOf({ code, state, iss, error }: CallbackQuery): URLSearchParams {
  const known = Object.entries({ code, state, iss, error })
  return new URLSearchParams(
    known.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
  )
}
