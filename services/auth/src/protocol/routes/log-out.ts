import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { LogoutQuery } from '@looptide/contracts/http/auth'
import type { SessionChoice } from '../../features/sessions/session-repository.ts'
import type { SessionService } from '../../features/sessions/session-service.ts'
import { AuthError } from '../auth-error.ts'
import { callerOf } from '../bearer.ts'

interface LogOutDeps {
  sessions: SessionService
}

/** `POST /logout?scope=global|local|others` */
export const logOut: FastifyPluginAsyncTypebox<LogOutDeps> = async (app, deps) => {
  app.post(
    '/logout',
    { schema: { querystring: LogoutQuery }, config: { operation: 'auth.session.log_out' } },
    async (request, reply) => {
      const { user, sessionId } = callerOf(request)
      const choice = choiceOf(request.query.scope ?? 'global', sessionId)
      await deps.sessions.signOut(user.id, choice, { actorId: user.id, correlationId: request.id })
      return reply.status(204).send()
    },
  )
}

function choiceOf(scope: string, sessionId: string): SessionChoice {
  if (scope === 'global') return 'all'
  if (scope === 'local') return { only: sessionId }
  if (scope === 'others') return { allBut: sessionId }
  throw AuthError.validation('Unsupported logout scope')
}
