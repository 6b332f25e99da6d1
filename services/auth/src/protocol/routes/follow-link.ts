import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { VerifyQuery } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/client-ip'
import type { FastifyRequest } from 'fastify'
import { PKCE_PREFIX } from '../../crypto/one-time-secret.ts'
import { slotsOf } from '../../features/codes/slots.ts'
import { HALF_WAY, type Outcome } from '../../features/codes/verification-service.ts'
import { AuthError } from '../auth-error.ts'
import { toAuthError } from '../auth-protocol.ts'
import { clientOf } from '../client-of.ts'
import type { AuthRoutesDeps } from './index.ts'

/** What stands in a refused link's address for a status (docs/protocols/auth.md §2.8). */
const ERRORS: ReadonlyMap<number, string> = new Map([
  [400, 'invalid_request'],
  [401, 'unauthorized_client'],
  [403, 'access_denied'],
])

/** `GET /verify?token&type&redirect_to`: always a 303, for a person in a browser stands before it. */
export const followLink: FastifyPluginAsyncTypebox<AuthRoutesDeps> = async (app, deps) => {
  app.get(
    '/verify',
    {
      schema: { querystring: VerifyQuery },
      config: { operation: 'auth.link.follow' },
      // A scanner that only looks whether the link is there must not spend it.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      if (isPrefetch(request)) return reply.status(503).send()
      const { token = '', type = '', redirect_to: redirectTo } = request.query
      const target = deps.redirects.resolve(redirectTo)
      try {
        await deps.limits.take(['verify-network', clientIp(request)])
        const slots = slotsOf(type)
        if (slots === undefined || token === '')
          throw AuthError.validation('Verify requires a token and a type')
        const outcome = await deps.verifications.byToken(token, slots, 'code', clientOf(request))
        await landWith(target, outcome, type, deps)
        if (outcome.kind === 'session') await deps.signInGuard.remember(outcome.user.id, clientIp(request))
      } catch (error) {
        const known = toAuthError(error instanceof Error ? error : new Error(String(error)))
        if (known.status >= 500) request.log.error({ err: error }, known.message)
        landRefused(target, known, token.startsWith(PKCE_PREFIX))
      }
      return reply.redirect(target.href, 303)
    },
  )
}

/**
 * A browser that fetches ahead of a person says so (Fetch standard, "Sec-Purpose"; older ones say `Purpose` or `X-Moz`).
 * Nobody has pressed the link yet; what is answered 503 is asked for again when somebody does.
 */
const isPrefetch = ({ headers }: FastifyRequest): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|preview/i.test(String(headers[name] ?? '')),
  )

async function landWith(target: URL, outcome: Outcome, type: string, deps: AuthRoutesDeps): Promise<void> {
  if (outcome.kind === 'code') {
    target.searchParams.set('code', outcome.code)
  } else if (outcome.kind === 'half') {
    target.hash = new URLSearchParams({ message: HALF_WAY }).toString()
  } else {
    // In the fragment, which browsers send to no server.
    const session = await deps.sessions.present(outcome)
    const names = ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'token_type'] as const
    const fields = new URLSearchParams(names.map((name): [string, string] => [name, String(session[name])]))
    fields.set('type', type)
    target.hash = fields.toString()
  }
}

function landRefused(target: URL, error: AuthError, pkce: boolean): void {
  const fields = {
    error: ERRORS.get(error.status) ?? (error.status >= 500 ? 'server_error' : 'invalid_request'),
    error_code: error.code,
    error_description: error.message,
  }
  target.hash = new URLSearchParams(fields).toString()
  if (pkce) for (const [name, value] of Object.entries(fields)) target.searchParams.set(name, value)
}
