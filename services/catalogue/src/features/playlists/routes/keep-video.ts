import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { EnsureVideoResult, PlaylistVideoParams } from '@looptide/contracts/http/playlists'
import { requireUser, signedIn } from '@looptide/service-kit/request-user'
import { type PlaylistService, presentItem, presentPlaylist } from '../playlist-service.ts'

/** PUT /api/playlists/:id/videos/:videoId: sees to it that the playlist holds the video (owner). */
export const keepVideo: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.put(
    '/api/playlists/:id/videos/:videoId',
    {
      schema: { params: PlaylistVideoParams, response: { 200: EnsureVideoResult } },
      config: { operation: 'catalogue.playlist.ensure_video' },
      onRequest: requireUser,
    },
    async (request) => {
      const { id, videoId } = request.params
      const { playlist, item, added } = await playlists.keep(id, videoId, signedIn(request))
      return { playlist: presentPlaylist(playlist), item: presentItem(item), added }
    },
  )
}
