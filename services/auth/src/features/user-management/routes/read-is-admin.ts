import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IsAdmin } from '@looptide/contracts/http/users'

/** `GET /api/me/is-admin` */
export const readIsAdmin: FastifyPluginAsyncTypebox = async (app) => {
  app.get(
    '/api/me/is-admin',
    { schema: { response: { 200: IsAdmin } }, config: { operation: 'auth.me.is_admin' } },
    async (request) => ({ isAdmin: request.user?.role === 'admin' }),
  )
}
