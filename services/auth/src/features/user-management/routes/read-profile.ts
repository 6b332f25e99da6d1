import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Profile, UserParams } from '@looptide/contracts/http/users'
import type { UserService } from '../user-service.ts'

/** `GET /api/profiles/:id` */
export const readProfile: FastifyPluginAsyncTypebox<{ users: UserService }> = async (app, { users }) => {
  app.get(
    '/api/profiles/:id',
    {
      schema: { params: UserParams, response: { 200: Profile } },
      config: { operation: 'auth.profile.read' },
    },
    async (request) => users.profile(request.params.id),
  )
}
