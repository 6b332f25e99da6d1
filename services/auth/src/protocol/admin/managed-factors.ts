import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ManagedFactorParams } from '@looptide/contracts/http/auth-admin'
import { UserParams } from '@looptide/contracts/http/users'
import type { AdminRoutesDeps } from './admin-routes-deps.ts'
import { serviceKeyCause } from './require-service-key.ts'

/** `GET /admin/users/:id/factors`, `DELETE /admin/users/:id/factors/:factorId` */
export const managedFactors: FastifyPluginAsyncTypebox<AdminRoutesDeps> = async (app, { administration }) => {
  app.get(
    '/admin/users/:id/factors',
    { schema: { params: UserParams }, config: { operation: 'auth.admin.factor.list' } },
    async (request) => administration.factors(request.params.id),
  )
  app.delete(
    '/admin/users/:id/factors/:factorId',
    { schema: { params: ManagedFactorParams }, config: { operation: 'auth.admin.factor.delete' } },
    async (request) => {
      const { id, factorId } = request.params
      return administration.removeFactor(id, factorId, serviceKeyCause(request))
    },
  )
}
