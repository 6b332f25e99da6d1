import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { UserParams } from '@looptide/contracts/http/users'
import type { AdminRoutesDeps } from './admin-routes-deps.ts'

/** `GET /admin/users/:id` */
export const getManagedUser: FastifyPluginAsyncTypebox<AdminRoutesDeps> = async (app, { administration }) => {
  app.get(
    '/admin/users/:id',
    { schema: { params: UserParams }, config: { operation: 'auth.admin.user.read' } },
    async (request) => administration.get(request.params.id),
  )
}
