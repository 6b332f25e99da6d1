import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AddRestrictionBody, Restriction, UserParams } from '@looptide/contracts/http/users'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { Guard } from '@looptide/service-kit/audit/guard'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import { presentRestriction } from '../restriction-repository.ts'
import type { RestrictionService } from '../restriction-service.ts'

/** `POST /api/users/:id/restrictions`. A site ban is a guarded action. */
export const addRestriction: FastifyPluginAsyncTypebox<{
  restrictions: RestrictionService
  guard: Guard
}> = async (app, deps) => {
  app.post(
    '/api/users/:id/restrictions',
    {
      schema: { params: UserParams, body: AddRestrictionBody, response: { 201: Restriction } },
      config: { operation: 'auth.user.restrict' },
    },
    async (request, reply) => {
      const userId = request.params.id
      const { restrictionType, reason, expiresAt, replaces } = request.body
      if (restrictionType === 'site_banned') {
        await deps.guard.check(request, 'user.site_ban.admin', userId)
      }
      const end = typeof expiresAt === 'string' ? new Date(expiresAt) : null
      const restriction = { userId, restrictionType, reason, expiresAt: end, replaces }
      const row = await deps.restrictions.add(restriction, signedIn(request), causeOf(request))
      return reply.status(201).send(presentRestriction(row))
    },
  )
}
