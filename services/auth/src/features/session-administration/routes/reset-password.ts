import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { UserParams } from '@looptide/contracts/http/users'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { Guard } from '@looptide/service-kit/audit/guard'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { SessionAdministration } from '../session-administration.ts'

/** `POST /api/users/:id/password-reset`: a guarded action. */
export const resetPassword: FastifyPluginAsyncTypebox<{
  guard: Guard
  sessionAdministration: SessionAdministration
}> = async (app, { guard, sessionAdministration }) => {
  app.post(
    '/api/users/:id/password-reset',
    { schema: { params: UserParams }, config: { operation: 'auth.user.reset_password' } },
    async (request, reply) => {
      const { id } = request.params
      await guard.check(request, 'user.password.admin', id)
      await sessionAdministration.requirePasswordReset(id, signedIn(request).id, causeOf(request))
      return reply.status(204).send()
    },
  )
}
