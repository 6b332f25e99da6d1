import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdentityParams } from '@looptide/contracts/http/auth'
import { callerOf } from '../../bearer.ts'
import type { IdentityRouteDeps } from './link-identity.ts'

/** `DELETE /user/identities/:identityId` */
export const unlinkIdentity: FastifyPluginAsyncTypebox<IdentityRouteDeps> = async (app, deps) => {
  app.delete(
    '/user/identities/:identityId',
    { schema: { params: IdentityParams }, config: { operation: 'auth.identity.unlink' } },
    async (request) => {
      const caller = callerOf(request)
      await deps.limits.consume(['identity-account', caller.user.id])
      await deps.identities.unlink(caller, request.params.identityId)
      return {}
    },
  )
}
