import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import type { Kysely } from 'kysely'
import type { Database } from '../../db/schema.ts'
import { presentCurrentUser } from '../../features/users/present-current-user.ts'
import { callerOf } from '../bearer.ts'

/** `GET /user` */
export const getUser: FastifyPluginAsyncTypebox<{ db: Kysely<Database> }> = async (app, deps) => {
  app.get('/user', { config: { operation: 'auth.user.read' } }, async (request) =>
    presentCurrentUser(deps.db, callerOf(request).user),
  )
}
