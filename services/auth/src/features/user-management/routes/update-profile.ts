import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Profile, UpdateProfileBody, UserParams } from '@looptide/contracts/http/users'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { errors } from '@looptide/service-kit/http/errors'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { RateLimits } from '../../../limits/rate-limits.ts'
import type { UserService } from '../user-service.ts'

/** `PATCH /api/profiles/:id`: changes the user's own profile. */
export const updateProfile: FastifyPluginAsyncTypebox<{ users: UserService; limits: RateLimits }> = async (
  app,
  { users, limits },
) => {
  app.patch(
    '/api/profiles/:id',
    {
      schema: { params: UserParams, body: UpdateProfileBody, response: { 200: Profile } },
      config: { operation: 'auth.profile.update' },
    },
    async (request) => {
      const user = signedIn(request)
      if (request.params.id !== user.id) throw errors.notAllowed('You may only change your own profile.')
      await limits.consume(['update-account', user.id])
      return users.updateProfile(user, request.body, causeOf(request))
    },
  )
}
