import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { ReauthenticationService } from '../../features/accounts/reauthentication-service.ts'
import type { MailGuard } from '../../limits/mail-guard.ts'
import type { ProofOfWork } from '../../limits/proof-of-work.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import { callerOf } from '../bearer.ts'

interface ReauthenticateDeps {
  reauthentication: ReauthenticationService
  limits: RateLimits
  proofs: ProofOfWork
  mailGuard: MailGuard
}

/** `GET /reauthenticate`: mails a code, which is the `nonce` of a change of the password. */
export const reauthenticate: FastifyPluginAsyncTypebox<ReauthenticateDeps> = async (app, deps) => {
  app.get(
    '/reauthenticate',
    // A HEAD request must not send a mail.
    { config: { operation: 'auth.user.reauthenticate' }, exposeHeadRoute: false },
    async (request) => {
      const { user } = callerOf(request)
      await deps.limits.consume(['update-account', user.id])
      const ip = clientIp(request)
      const email = user.email ?? ''
      // A GET has no body for a proof; the budget is the user's own.
      const proof = deps.proofs.presented(undefined, { action: 'mail', email, ip })
      await deps.reauthentication.send(
        user.id,
        await deps.mailGuard.admit({ email, ip, proof, from: 'owner' }),
      )
      return {}
    },
  )
}
