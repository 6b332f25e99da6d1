import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Profile, UserParams } from '@looptide/contracts/http/users'
import type { PeopleRoutesDeps } from './index.ts'

/** `GET /api/profiles/:id` */
export const readProfile: FastifyPluginAsyncTypebox<PeopleRoutesDeps> = async (app, { people }) => {
  app.get(
    '/api/profiles/:id',
    {
      schema: { params: UserParams, response: { 200: Profile } },
      config: { operation: 'auth.profile.read' },
    },
    async (request) => people.profile(request.params.id),
  )
}
