import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ManagedPasskeyParams } from '@looptide/contracts/http/auth-admin'
import { UserParams } from '@looptide/contracts/http/users'
import type { AdminRoutesDeps } from './admin-routes-deps.ts'
import { serviceKeyCause } from './require-service-key.ts'

/** `GET /admin/users/:id/passkeys`, `DELETE /admin/users/:id/passkeys/:passkeyId` */
export const managedPasskeys: FastifyPluginAsyncTypebox<AdminRoutesDeps> = async (
  app,
  { managedPasskeys: passkeys },
) => {
  app.get(
    '/admin/users/:id/passkeys',
    { schema: { params: UserParams }, config: { operation: 'auth.admin.passkey.list' } },
    async (request) => passkeys.list(request.params.id),
  )
  app.delete(
    '/admin/users/:id/passkeys/:passkeyId',
    { schema: { params: ManagedPasskeyParams }, config: { operation: 'auth.admin.passkey.delete' } },
    async (request, reply) => {
      const { id, passkeyId } = request.params
      await passkeys.remove(id, passkeyId, serviceKeyCause(request))
      return reply.status(204).send()
    },
  )
}
