import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { HandleParams, Profile } from '@looptide/contracts/http/users'
import type { UserService } from '../user-service.ts'

/** `GET /api/profiles/by-handle/:handle`: the public profile. The case of the handle is ignored. */
export const readProfileByHandle: FastifyPluginAsyncTypebox<{ users: UserService }> = async (
  app,
  { users },
) => {
  app.get(
    '/api/profiles/by-handle/:handle',
    {
      schema: { params: HandleParams, response: { 200: Profile } },
      config: { operation: 'auth.profile.read_by_handle' },
    },
    async (request) => users.profileByHandle(request.params.handle),
  )
}
