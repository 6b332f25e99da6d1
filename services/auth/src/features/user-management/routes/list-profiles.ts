import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ListProfilesQuery, ProfilePage } from '@looptide/contracts/http/users'
import { toPage } from '@looptide/service-kit/http/cursor'
import { presentProfile } from '../../profiles/new-profile.ts'
import type { UserService } from '../user-service.ts'
import { readListQuery } from './read-list-query.ts'

/** `GET /api/profiles` */
export const listProfiles: FastifyPluginAsyncTypebox<{ users: UserService }> = async (app, { users }) => {
  app.get(
    '/api/profiles',
    {
      schema: { querystring: ListProfilesQuery, response: { 200: ProfilePage } },
      config: { operation: 'auth.profile.list' },
    },
    async (request) => {
      const query = readListQuery(request.query)
      return toPage(await users.profiles(query), query.limit, presentProfile, (row) => [row.handleKey])
    },
  )
}
