import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { EndedSessions, UserParams } from '@looptide/contracts/http/users'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { SessionAdministration } from '../session-administration.ts'

/** `DELETE /api/users/:id/sessions` */
export const endUserSessions: FastifyPluginAsyncTypebox<{
  sessionAdministration: SessionAdministration
}> = async (app, { sessionAdministration }) => {
  app.delete(
    '/api/users/:id/sessions',
    {
      schema: { params: UserParams, response: { 200: EndedSessions } },
      config: { operation: 'auth.user.end_sessions' },
    },
    async (request) => {
      const { id } = request.params
      return { ended: await sessionAdministration.endOf(id, signedIn(request).id, causeOf(request)) }
    },
  )
}
