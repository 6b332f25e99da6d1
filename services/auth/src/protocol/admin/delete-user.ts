import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AdminDeleteBody } from '@looptide/contracts/http/auth-admin'
import { UserParams } from '@looptide/contracts/http/users'
import { AuthError } from '../auth-error.ts'
import type { AdminRoutesDeps } from './admin-routes-deps.ts'
import { serviceKeyCause } from './require-service-key.ts'

/** `DELETE /admin/users/:id`. A soft deletion is refused: it would keep personal data that its owner cannot reach. */
export const deleteUser: FastifyPluginAsyncTypebox<AdminRoutesDeps> = async (app, { administration }) => {
  app.delete(
    '/admin/users/:id',
    {
      schema: { params: UserParams, body: AdminDeleteBody },
      config: { operation: 'auth.admin.user.delete' },
    },
    async (request) => {
      if (request.body.should_soft_delete === true) {
        throw AuthError.validation('should_soft_delete is not supported')
      }
      await administration.delete(request.params.id, serviceKeyCause(request))
      return {}
    },
  )
}
