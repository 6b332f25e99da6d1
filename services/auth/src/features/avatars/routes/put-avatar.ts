import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AVATAR_MAX_BYTES, Profile } from '@looptide/contracts/http/users'
import { PICTURE_TYPES } from '@looptide/contracts/pictures'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import { acceptPictures } from '@looptide/service-kit/pictures/pictures'
import type { RateLimits } from '../../../limits/rate-limits.ts'
import type { AvatarService } from '../avatar-service.ts'

/** `PUT /api/me/avatar`: the body is the picture, at most {@link AVATAR_MAX_BYTES}. */
export const putAvatar: FastifyPluginAsyncTypebox<{ avatars: AvatarService; limits: RateLimits }> = async (
  app,
  { avatars, limits },
) => {
  acceptPictures(app, AVATAR_MAX_BYTES)
  app.put(
    '/api/me/avatar',
    {
      schema: { consumes: [...PICTURE_TYPES], response: { 200: Profile } },
      config: { operation: 'auth.avatar.put' },
      bodyLimit: AVATAR_MAX_BYTES,
    },
    async (request) => {
      const user = signedIn(request)
      await limits.consume(['update-account', user.id])
      return avatars.put(user, request.body, causeOf(request))
    },
  )
}
