import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { HandleParams, Profile } from '@looptide/contracts/http/people'
import type { PeopleRoutesDeps } from './index.ts'

/** `GET /api/profiles/by-handle/:handle`: the public profile. The case of the handle is ignored. */
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
