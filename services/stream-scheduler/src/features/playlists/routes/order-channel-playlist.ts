import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelOrderBody, ChannelParams } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { expectedVersion } from '@looptide/service-kit/http/conditional'
import { Type } from 'typebox'
import type { PlaylistService } from '../playlist-service.ts'

/** Bytes of 10,000 ids with quotes and commas, and a margin. */
const BODY_LIMIT = 524_288

/** PUT /api/channels/:id/playlist/order (`schedules:edit`): sets the order of all items. */
export const orderChannelPlaylist: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.put(
    '/api/channels/:id/playlist/order',
    {
      bodyLimit: BODY_LIMIT,
      schema: { params: ChannelParams, body: ChannelOrderBody, response: { 204: Type.Null() } },
      config: { operation: 'stream.playlist.order' },
    },
    async (request, reply) => {
      const { params, body } = request
      await playlists.order(params.id, body.itemIds, causeOf(request), expectedVersion(request))
      return reply.status(204).send(null)
    },
  )
}
