import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { EndAllSessionsBody, EndedSessions } from '@looptide/contracts/http/users'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { Guard } from '@looptide/service-kit/audit/guard'
import type { SessionAdministration } from '../session-administration.ts'

/** `POST /api/users/end-sessions`: a guarded action of admins. */
export const endAllSessions: FastifyPluginAsyncTypebox<{
  guard: Guard
  sessionAdministration: SessionAdministration
}> = async (app, { guard, sessionAdministration }) => {
  app.post(
    '/api/users/end-sessions',
    {
      schema: { body: EndAllSessionsBody, response: { 200: EndedSessions } },
      config: { operation: 'auth.user.end_all_sessions' },
    },
    async (request) => {
      await guard.check(request, 'user.sessions.admin')
      return { ended: await sessionAdministration.endAll(causeOf(request)) }
    },
  )
}
