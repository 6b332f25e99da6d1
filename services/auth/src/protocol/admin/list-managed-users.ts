import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AdminListQuery } from '@looptide/contracts/http/auth-admin'
import type { AdminRoutesDeps } from './admin-routes-deps.ts'
import { linkHeader, readPage } from './read-page.ts'

/** `GET /admin/users?page&per_page&filter`: newest first. `filter` is the start of an email. */
export const listManagedUsers: FastifyPluginAsyncTypebox<AdminRoutesDeps> = async (
  app,
  { administration },
) => {
  app.get(
    '/admin/users',
    { schema: { querystring: AdminListQuery }, config: { operation: 'auth.admin.user.list' } },
    async (request, reply) => {
      const query = readPage(request.query)
      const { users, total } = await administration.list(query)
      const path = request.url.split('?')[0] ?? ''
      reply.header('link', linkHeader(path, query, total)).header('x-total-count', String(total))
      return { users, aud: 'authenticated' }
    },
  )
}
