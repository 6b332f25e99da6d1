import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AddChannelVideosBody, AddChannelVideosResult } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { DEFAULT_CHANNEL_ID } from '../../../timeline/rules.ts'
import type { PlaylistService } from '../playlist-service.ts'

/** POST /api/live-playlist (`schedules:edit`): appends videos in the order of the selection ("Add to Live"). */
export const addToLivePlaylist: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.post(
    '/api/live-playlist',
    {
      schema: { body: AddChannelVideosBody, response: { 201: AddChannelVideosResult } },
      config: { operation: 'stream.live_playlist.add' },
    },
    async (request, reply) => {
      const items = await playlists.add(DEFAULT_CHANNEL_ID, request.body.videoIds, causeOf(request))
      return reply.status(201).send({ items })
    },
  )
}
