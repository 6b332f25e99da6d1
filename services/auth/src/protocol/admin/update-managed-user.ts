import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AdminUserBody } from '@looptide/contracts/http/auth-admin'
import { UserParams } from '@looptide/contracts/http/users'
import type { AdminRoutesDeps } from './admin-routes-deps.ts'
import { readManagedChange } from './read-managed-change.ts'
import { serviceKeyCause } from './require-service-key.ts'

/** `PUT /admin/users/:id` */
export const updateManagedUser: FastifyPluginAsyncTypebox<AdminRoutesDeps> = async (
  app,
  { administration },
) => {
  app.put(
    '/admin/users/:id',
    {
      schema: { params: UserParams, body: AdminUserBody },
      config: { operation: 'auth.admin.user.update' },
    },
    async (request) =>
      administration.update(request.params.id, readManagedChange(request.body), serviceKeyCause(request)),
  )
}
