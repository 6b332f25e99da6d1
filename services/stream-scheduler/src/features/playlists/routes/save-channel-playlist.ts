import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams, SavePlaylistBody, SavePlaylistResult } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { expectedVersion } from '@looptide/service-kit/http/conditional'
import { etagOf, type PlaylistService } from '../playlist-service.ts'

/** Bytes of 10,000 ids and 2,000 added items, with quotes and commas. */
const BODY_LIMIT = 1_048_576

/** PUT /api/channels/:id/playlist (`schedules:edit`): removes, adds and moves items in one change. With `If-Match`, 412 if outdated. */
export const saveChannelPlaylist: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.put(
    '/api/channels/:id/playlist',
    {
      bodyLimit: BODY_LIMIT,
      schema: { params: ChannelParams, body: SavePlaylistBody, response: { 200: SavePlaylistResult } },
      config: { operation: 'stream.playlist.save' },
    },
    async (request, reply) => {
      const { params, body } = request
      const cause = causeOf(request)
      const { version, ...saved } = await playlists.save(params.id, body, cause, expectedVersion(request))
      reply.header('etag', etagOf(version))
      return saved
    },
  )
}
