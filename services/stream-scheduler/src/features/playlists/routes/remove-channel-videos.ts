import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams, RemoveChannelItemsBody, RemoveItemsResult } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { expectedVersion } from '@looptide/service-kit/http/conditional'
import type { PlaylistService } from '../playlist-service.ts'

/** Bytes of 10,000 ids with quotes and commas, and a margin. */
const BODY_LIMIT = 524_288

/** DELETE /api/channels/:id/playlist (`schedules:edit`): removes items in one change, e.g. to undo adding them. */
export const removeChannelVideos: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.delete(
    '/api/channels/:id/playlist',
    {
      bodyLimit: BODY_LIMIT,
      schema: {
        summary: 'Remove videos from a playlist',
        params: ChannelParams,
        body: RemoveChannelItemsBody,
        response: { 200: RemoveItemsResult },
      },
      config: { operation: 'stream.playlist.remove_many' },
    },
    async (request) => {
      const { params, body } = request
      const expected = expectedVersion(request)
      return { removed: await playlists.removeItems(params.id, body.itemIds, causeOf(request), expected) }
    },
  )
}
