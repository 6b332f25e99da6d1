import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import {
  AddChannelVideosBody,
  AddChannelVideosResult,
  ChannelParams,
} from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { expectedVersion } from '@looptide/service-kit/http/conditional'
import type { PlaylistService } from '../playlist-service.ts'

/** POST /api/channels/:id/playlist (`schedules:edit`): adds videos in their order, at the end or at a position. */
export const addChannelVideos: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.post(
    '/api/channels/:id/playlist',
    {
      schema: {
        params: ChannelParams,
        body: AddChannelVideosBody,
        response: { 201: AddChannelVideosResult },
      },
      config: { operation: 'stream.playlist.add' },
    },
    async (request, reply) => {
      const { videoIds, position } = request.body
      const options = { position, expected: expectedVersion(request) }
      const items = await playlists.add(request.params.id, videoIds, causeOf(request), options)
      return reply.status(201).send({ items })
    },
  )
}
