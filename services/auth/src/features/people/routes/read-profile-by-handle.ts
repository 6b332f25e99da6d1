import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { HandleParams, Profile } from '@looptide/contracts/http/users'
import type { PeopleRoutesDeps } from './index.ts'

/** `GET /api/profiles/by-handle/:handle`: the public profile, whatever the handle's case. */
export const readProfileByHandle: FastifyPluginAsyncTypebox<PeopleRoutesDeps> = async (app, { people }) => {
  app.get(
    '/api/profiles/by-handle/:handle',
    {
      schema: { params: HandleParams, response: { 200: Profile } },
      config: { operation: 'auth.profile.read_by_handle' },
    },
    async (request) => people.profileByHandle(request.params.handle),
  )
}
