import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelItemParams } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { expectedVersion } from '@looptide/service-kit/http/conditional'
import { Type } from 'typebox'
import type { PlaylistService } from '../playlist-service.ts'

/** DELETE /api/channels/:id/playlist/:itemId (`schedules:edit`). */
export const removeChannelVideo: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.delete(
    '/api/channels/:id/playlist/:itemId',
    {
      schema: { params: ChannelItemParams, response: { 204: Type.Null() } },
      config: { operation: 'stream.playlist.remove' },
    },
    async (request, reply) => {
      const { id, itemId } = request.params
      await playlists.remove(id, itemId, causeOf(request), expectedVersion(request))
      return reply.status(204).send(null)
    },
  )
}
