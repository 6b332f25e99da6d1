import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Profile } from '@looptide/contracts/http/users'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { RateLimits } from '../../../limits/rate-limits.ts'
import type { AvatarService } from '../avatar-service.ts'

/** `DELETE /api/me/avatar` */
export const deleteAvatar: FastifyPluginAsyncTypebox<{ avatars: AvatarService; limits: RateLimits }> = async (
  app,
  { avatars, limits },
) => {
  app.delete(
    '/api/me/avatar',
    {
      schema: { response: { 200: Profile } },
      config: { operation: 'auth.avatar.delete' },
    },
    async (request) => {
      const user = signedIn(request)
      await limits.consume(['update-account', user.id])
      return avatars.remove(user, causeOf(request))
    },
  )
}
