import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PasskeyParams } from '@looptide/contracts/http/passkeys'
import { callerCause, callerOf } from '../../bearer.ts'
import type { PasskeyRouteDeps } from './passkey-route-deps.ts'

/** `DELETE /passkeys/:passkeyId` */
export const deletePasskey: FastifyPluginAsyncTypebox<PasskeyRouteDeps> = async (app, deps) => {
  app.delete(
    '/passkeys/:passkeyId',
    { schema: { params: PasskeyParams }, config: { operation: 'auth.passkey.delete' } },
    async (request, reply) => {
      const caller = callerOf(request)
      await deps.limits.consume(['passkey-account', caller.user.id])
      await deps.passkeys.remove(caller, request.params.passkeyId, callerCause(caller, request))
      return reply.status(204).send()
    },
  )
}
