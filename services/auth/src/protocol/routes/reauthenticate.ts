import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { ReauthenticationService } from '../../features/accounts/reauthentication-service.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import { callerOf } from '../bearer.ts'

interface ReauthenticateDeps {
  reauthentication: ReauthenticationService
  limits: RateLimits
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
      await deps.limits.consumeMail(clientIp(request))
      await deps.reauthentication.send(user.id)
      return {}
    },
  )
}
