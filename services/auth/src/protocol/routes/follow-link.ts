import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { VerifyQuery } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { FastifyRequest } from 'fastify'
import { PKCE_PREFIX } from '../../crypto/one-time-secret.ts'
import type { VerificationService } from '../../features/accounts/verification-service.ts'
import { ONE_SIDE_CONFIRMED_MESSAGE } from '../../features/accounts/verification-service.ts'
import type { RedirectPolicy } from '../../features/codes/redirect-policy.ts'
import { slotsOf } from '../../features/codes/slots.ts'
import type { SessionService } from '../../features/sessions/session-service.ts'
import { clientOf } from '../../features/sign-ins/client-of.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import type { SignInGuard } from '../../limits/sign-in-guard.ts'
import { AuthError } from '../auth-error.ts'
import { recordSignInNetwork } from '../record-network.ts'
import { toRedirectError, writeError } from './redirect-error.ts'

interface FollowLinkDeps {
  verifications: VerificationService
  sessions: SessionService
  redirects: RedirectPolicy
  limits: RateLimits
  signInGuard: SignInGuard
}

/** `GET /verify?token&type&redirect_to`: always responds 303, because a browser follows the link. */
export const followLink: FastifyPluginAsyncTypebox<FollowLinkDeps> = async (app, deps) => {
  app.get(
    '/verify',
    {
      schema: { querystring: VerifyQuery },
      config: { operation: 'auth.link.follow' },
      // A HEAD request of a link scanner must not use up the token.
      exposeHeadRoute: false,
    },
    async (request, reply) => {
      if (isPrefetch(request)) return reply.status(503).send()
      const { token = '', type = '', redirect_to: redirectTo } = request.query
      const target = deps.redirects.resolve(redirectTo)
      try {
        await deps.limits.consume(['verify-network', clientIp(request)])
        const slots = slotsOf(type)
        if (slots === undefined || token === '')
          throw AuthError.validation('Verify requires a token and a type')
        const outcome = await deps.verifications.redeemToken(token, slots, 'code', clientOf(request))
        if (outcome.kind === 'session') {
          const session = await deps.sessions.present(outcome)
          writeSession(target, await recordSignInNetwork(request, session, deps), type)
        } else if (outcome.kind === 'code') {
          target.searchParams.set('code', outcome.code)
        } else {
          target.hash = new URLSearchParams({ message: ONE_SIDE_CONFIRMED_MESSAGE }).toString()
        }
      } catch (error) {
        writeError(target, toRedirectError(error, request), token.startsWith(PKCE_PREFIX))
      }
      return reply.redirect(target.href, 303)
    },
  )
}

/**
 * Whether a browser prefetches the link (Fetch standard, "Sec-Purpose"; older browsers send `Purpose` or `X-Moz`). A
 * prefetch must not use up the token. The browser requests a link that was answered 503 again when the user opens it.
 */
const isPrefetch = ({ headers }: FastifyRequest): boolean =>
  ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) =>
    /prefetch|preview/i.test(String(headers[name] ?? '')),
  )

/** Writes a session into the fragment of the URL that the browser is redirected to, which is never sent to a server. */
function writeSession(target: URL, session: Record<string, unknown>, type: string): void {
  const names = ['access_token', 'expires_at', 'expires_in', 'refresh_token', 'token_type'] as const
  const fields = new URLSearchParams(names.map((name): [string, string] => [name, String(session[name])]))
  fields.set('type', type)
  target.hash = fields.toString()
}
