import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import type { ReauthenticationService } from '../../features/accounts/reauthentication-service.ts'
import type { AccessTokens } from '../../features/keys/access-tokens.ts'
import type { RateLimits } from '../../limits/rate-limits.ts'
import { readCaller } from '../bearer.ts'

interface ReauthenticateDeps {
  db: Kysely<Database>
  tokens: AccessTokens
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
      const { user } = await readCaller(request, deps)
      await deps.limits.consume(['update-account', user.id])
      await deps.limits.consumeMail(clientIp(request))
      await deps.reauthentication.send(user.id)
      return {}
    },
  )
}
