import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Me } from '@looptide/contracts/http/users'
import { requireUser, signedIn } from '@looptide/service-kit/request-user'
import type { PeopleRoutesDeps } from './index.ts'

/** `GET /api/me` */
export const readMe: FastifyPluginAsyncTypebox<PeopleRoutesDeps> = async (app, { people }) => {
  app.get(
    '/api/me',
    { schema: { response: { 200: Me } }, config: { operation: 'auth.me.read' }, onRequest: requireUser },
    async (request) => people.me(signedIn(request)),
  )
}
