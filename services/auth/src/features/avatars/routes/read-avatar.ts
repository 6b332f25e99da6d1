import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AvatarParams } from '@looptide/contracts/http/people'
import type { AvatarRoutesDeps } from './index.ts'

/**
 * `GET /api/profiles/:id/avatar/:version`: public, and the same for ever. A stranger's bytes: they are shown as the
 * picture they were found to be and as nothing else, whatever a browser thinks of them.
 */
export const readAvatar: FastifyPluginAsyncTypebox<AvatarRoutesDeps> = async (app, { avatars }) => {
  app.get(
    '/api/profiles/:id/avatar/:version',
    { schema: { params: AvatarParams }, config: { operation: 'auth.avatar.read' } },
    async (request, reply) => {
      const { id, version } = request.params
      const { contentType, bytes } = await avatars.read(id, version)
      return reply
        .type(contentType)
        .header('cache-control', 'public, max-age=31536000, immutable')
        .header('x-content-type-options', 'nosniff')
        .header('content-security-policy', "default-src 'none'; sandbox")
        .send(bytes)
    },
  )
}
