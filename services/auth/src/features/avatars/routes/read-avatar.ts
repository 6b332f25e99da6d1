import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AvatarParams } from '@looptide/contracts/http/users'
import { sendPicture } from '@looptide/service-kit/pictures/pictures'
import type { AvatarService } from '../avatar-service.ts'

/** `GET /api/profiles/:id/avatar/:version`: public. The answer for a version never changes. */
export const readAvatar: FastifyPluginAsyncTypebox<{ avatars: AvatarService }> = async (app, { avatars }) => {
  app.get(
    '/api/profiles/:id/avatar/:version',
    { schema: { params: AvatarParams }, config: { operation: 'auth.avatar.read' } },
    async (request, reply) => {
      const { id, version } = request.params
      return sendPicture(reply, await avatars.read(id, version))
    },
  )
}
