import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RestrictionParams } from '@looptide/contracts/http/users'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { RestrictionService } from '../restriction-service.ts'

/** `DELETE /api/users/:id/restrictions/:restrictionId` */
export const removeRestriction: FastifyPluginAsyncTypebox<{ restrictions: RestrictionService }> = async (
  app,
  { restrictions },
) => {
  app.delete(
    '/api/users/:id/restrictions/:restrictionId',
    {
      schema: { params: RestrictionParams },
      config: { operation: 'auth.user.unrestrict' },
    },
    async (request, reply) => {
      const { id, restrictionId } = request.params
      await restrictions.remove(id, restrictionId, signedIn(request), causeOf(request))
      return reply.status(204).send()
    },
  )
}
