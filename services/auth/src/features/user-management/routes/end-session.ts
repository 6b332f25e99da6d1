import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SessionParams } from '@looptide/contracts/http/users'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { errors } from '@looptide/service-kit/http/errors'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { Kysely } from 'kysely'
import type { Database } from '../../../db/schema.ts'
import { sessionRepository } from '../../sessions/session-repository.ts'
import type { SessionService } from '../../sessions/session-service.ts'

/** `DELETE /api/me/sessions/:sessionId` */
export const endSession: FastifyPluginAsyncTypebox<{
  db: Kysely<Database>
  sessions: SessionService
}> = async (app, { db, sessions }) => {
  app.delete(
    '/api/me/sessions/:sessionId',
    { schema: { params: SessionParams }, config: { operation: 'auth.session.end' } },
    async (request, reply) => {
      const { id } = signedIn(request)
      const { sessionId } = request.params
      if ((await sessionRepository.find(db, sessionId, id)) === undefined)
        throw errors.notFound('This session')
      await sessions.signOut(id, { only: sessionId }, causeOf(request))
      return reply.status(204).send()
    },
  )
}
