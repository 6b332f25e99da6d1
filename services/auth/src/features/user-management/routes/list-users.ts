import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AdminUserPage, ListProfilesQuery } from '@looptide/contracts/http/users'
import { toPage } from '@looptide/service-kit/http/cursor'
import type { UserService } from '../user-service.ts'
import { presentAdminUser } from '../user-service.ts'
import { readListQuery } from './read-list-query.ts'

/** `GET /api/users` for admins */
export const listUsers: FastifyPluginAsyncTypebox<{ users: UserService }> = async (app, { users }) => {
  app.get(
    '/api/users',
    {
      schema: { querystring: ListProfilesQuery, response: { 200: AdminUserPage } },
      config: { operation: 'auth.user.list' },
    },
    async (request) => {
      const query = readListQuery(request.query)
      const { rows, restrictions } = await users.adminUsers(query)
      return toPage(
        rows,
        query.limit,
        (row) => presentAdminUser(row, restrictions),
        (row) => [row.handleKey],
      )
    },
  )
}
