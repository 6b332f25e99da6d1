import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Profile } from '@looptide/contracts/http/people'
import { causeOf } from '@looptide/service-kit/audit'
import { requireUser, signedIn } from '@looptide/service-kit/request-user'
import { limited } from '../../people/limited.ts'
import type { AvatarRoutesDeps } from './index.ts'

/** `DELETE /api/me/avatar` */
export const deleteAvatar: FastifyPluginAsyncTypebox<AvatarRoutesDeps> = async (app, { avatars, limits }) => {
  app.delete(
    '/api/me/avatar',
    {
      schema: { response: { 200: Profile } },
      config: { operation: 'auth.avatar.delete' },
      onRequest: requireUser,
    },
    async (request) => {
      const user = signedIn(request)
      await limited(() => limits.consume(['update-account', user.id]))
      return avatars.remove(user, causeOf(request))
    },
  )
}
