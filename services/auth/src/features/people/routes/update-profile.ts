import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Profile, UpdateProfileBody, UserParams } from '@looptide/contracts/http/people'
import { causeOf } from '@looptide/service-kit/audit'
import { errors } from '@looptide/service-kit/errors'
import { requireUser, signedIn } from '@looptide/service-kit/request-user'
import { limited } from '../limited.ts'
import type { PeopleRoutesDeps } from './index.ts'

/** `PATCH /api/profiles/:id`: changes the user's own profile. */
export const updateProfile: FastifyPluginAsyncTypebox<PeopleRoutesDeps> = async (app, { people, limits }) => {
  app.patch(
    '/api/profiles/:id',
    {
      schema: { params: UserParams, body: UpdateProfileBody, response: { 200: Profile } },
      config: { operation: 'auth.profile.update' },
      onRequest: requireUser,
    },
    async (request) => {
      const user = signedIn(request)
      if (request.params.id !== user.id) throw errors.notAllowed('You may only change your own profile.')
      await limited(() => limits.consume(['update-account', user.id]))
      return people.updateProfile(user, request.body, causeOf(request))
    },
  )
}
