import type { AuthorizeQuery, CallbackQuery } from '@looptide/contracts/http/auth'
import { authIdentityLink, authIdentityUnlink } from '@looptide/contracts/operations/auth/factors'
import { authProviderAuthorize, authProviderReturn } from '@looptide/contracts/operations/auth/sign-in'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { protocolRoute, type Route } from '@looptide/service-kit/routes/route'
import type { RedirectPolicy } from '../../features/credential/code/redirect-policy.ts'
import type { IdentityService } from '../../features/credential/provider/identity-service.ts'
import type { FlowStart, ProviderFlows } from '../../features/credential/provider/provider-flows.ts'
import type { RateLimits } from '../../features/limits/rate-limits.ts'
import { AuthError } from '../auth-error.ts'
import { callerOf } from '../bearer.ts'
import { readPkce } from '../read-body.ts'
import { toRedirectError, writeError } from './redirect-error.ts'

export interface IdentityDeps {
  providerFlows: ProviderFlows
  redirects: RedirectPolicy
  limits: RateLimits
  identities: IdentityService
}

/** Routes of the auth protocol about accounts of providers. */
export function identityRoutes(deps: IdentityDeps): Route[] {
  const { identities, providerFlows, limits, redirects } = deps
  return [
    protocolRoute(authIdentityLink, async ({ request, query }) => {
      const caller = callerOf(request)
      identities.requireLinking()
      const start = readFlowStart(query, deps)
      await limits.consume(['provider-network', clientIp(request)], ['identity-account', caller.user.id])
      return { url: (await identities.beginLink(caller, start)).href }
    }),
    protocolRoute(authIdentityUnlink, async ({ request, params }) => {
      const caller = callerOf(request)
      await limits.consume(['identity-account', caller.user.id])
      await identities.unlink(caller, params.identityId)
      return {}
    }),
    protocolRoute(authProviderAuthorize, async ({ query, request, reply }) => {
      const start = readFlowStart(query, deps)
      const { redirectTo: target } = start
      try {
        await limits.consume(['provider-network', clientIp(request)])
        const url = await providerFlows.begin({ ...start, session: null })
        return await reply.redirect(url.href, 302)
      } catch (error) {
        writeError(target, toRedirectError(error, request), true)
        return reply.redirect(target.href, 303)
      }
    }),
    protocolRoute(authProviderReturn, async ({ request, query, reply }) => {
      let target = new URL(redirects.site)
      try {
        await limits.consume(['provider-network', clientIp(request)])
        const end = await providerFlows.finish(answerOf(query))
        target = new URL(end.redirectTo)
        if ('error' in end) throw end.error
        target.searchParams.set('code', end.code)
      } catch (error) {
        writeError(target, toRedirectError(error, request), true)
      }
      return reply.redirect(target.href, 303)
    }),
  ]
}

/** The parameters that the station verifies. */
function answerOf({ code, state, iss, error }: CallbackQuery): URLSearchParams {
  const known = Object.entries({ code, state, iss, error })
  return new URLSearchParams(
    known.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]])),
  )
}

/** Reads the request of an app to start a flow. Throws `validation_failed` for an unknown provider and without PKCE. */
function readFlowStart(
  query: AuthorizeQuery,
  { providerFlows, redirects }: IdentityDeps,
): Omit<FlowStart, 'session'> {
  const providerId = query.provider ?? ''
  providerFlows.provider(providerId)
  const challenge = readPkce(query)
  if (challenge === null) throw AuthError.validation('Providers require the PKCE flow')
  return { providerId, challenge, redirectTo: redirects.resolve(query.redirect_to) }
}
