import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelItemParams } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit'
import { Type } from 'typebox'
import type { PlaylistService } from '../playlist-service.ts'

/** DELETE /api/channels/:id/playlist/:itemId (admin). */
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
      await playlists.remove(request.params.id, request.params.itemId, causeOf(request))
      return reply.status(204).send(null)
    },
  )
}
