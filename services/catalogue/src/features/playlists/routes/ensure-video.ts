import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { EnsureVideoResult, PlaylistVideoParams } from '@looptide/contracts/http/playlists'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import { type PlaylistService, presentItem, presentPlaylist } from '../playlist-service.ts'

/** PUT /api/playlists/:id/videos/:videoId: adds the video to the playlist unless it is already there (owner). */
export const ensureVideo: FastifyPluginAsyncTypebox<{ playlists: PlaylistService }> = async (
  app,
  { playlists },
) => {
  app.put(
    '/api/playlists/:id/videos/:videoId',
    {
      schema: { params: PlaylistVideoParams, response: { 200: EnsureVideoResult } },
      config: { operation: 'catalogue.playlist.ensure_video' },
    },
    async (request) => {
      const { id, videoId } = request.params
      const { playlist, item, added } = await playlists.ensureVideo(id, videoId, signedIn(request))
      return { playlist: presentPlaylist(playlist), item: presentItem(item), added }
    },
  )
}
