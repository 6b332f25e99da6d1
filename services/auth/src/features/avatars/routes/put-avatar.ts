import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AVATAR_MAX_BYTES, AVATAR_TYPES, Profile } from '@looptide/contracts/http/people'
import { causeOf } from '@looptide/service-kit/audit'
import { errors } from '@looptide/service-kit/errors'
import { requireUser, signedIn } from '@looptide/service-kit/request-user'
import { limited } from '../../people/limited.ts'
import type { AvatarRoutesDeps } from './index.ts'

/** `PUT /api/me/avatar`: the picture itself is the body, at most {@link AVATAR_MAX_BYTES}. */
export const putAvatar: FastifyPluginAsyncTypebox<AvatarRoutesDeps> = async (app, { avatars, limits }) => {
  app.addContentTypeParser(
    [...AVATAR_TYPES],
    { parseAs: 'buffer', bodyLimit: AVATAR_MAX_BYTES },
    (_request, body, done) => done(null, body),
  )
  app.put(
    '/api/me/avatar',
    {
      schema: { consumes: [...AVATAR_TYPES], response: { 200: Profile } },
      config: { operation: 'auth.avatar.put' },
      bodyLimit: AVATAR_MAX_BYTES,
      onRequest: requireUser,
    },
    async (request) => {
      const user = signedIn(request)
      const bytes = request.body
      if (!Buffer.isBuffer(bytes)) throw errors.validation('The body must be a picture.')
      await limited(() => limits.take(['update-account', user.id]))
      return avatars.put(user, bytes, causeOf(request))
    },
  )
}
