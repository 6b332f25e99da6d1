import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Me } from '@looptide/contracts/http/users'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { UserService } from '../user-service.ts'

/** `GET /api/me` */
export const readMe: FastifyPluginAsyncTypebox<{ users: UserService }> = async (app, { users }) => {
  app.get(
    '/api/me',
    { schema: { response: { 200: Me } }, config: { operation: 'auth.me.read' } },
    async (request) => users.me(signedIn(request)),
  )
}
