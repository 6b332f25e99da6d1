import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { YoutubePlaylist, YoutubePlaylistParams } from '@looptide/contracts/http/metadata'
import { errors } from '@looptide/service-kit/http/errors'
import type { PlaylistClient } from '../../../youtube/playlist-client.ts'
import { toApiError } from '../playlist-errors.ts'

/**
 * GET /api/metadata/playlists/:playlistId: the videos of a YouTube playlist (`videos:edit`). Throws `conflict` without an API key,
 * `not_found` for a private or deleted playlist, and `rate_limited` if today's quota is used up.
 */
export const readPlaylist: FastifyPluginAsyncTypebox<{ playlists: PlaylistClient | null }> = async (
  app,
  { playlists },
) => {
  app.get(
    '/api/metadata/playlists/:playlistId',
    {
      schema: { params: YoutubePlaylistParams, response: { 200: YoutubePlaylist } },
      config: { operation: 'metadata.playlist.read' },
    },
    async (request) => {
      if (playlists === null) {
        throw errors.conflict('Importing a playlist requires a YouTube API key (YOUTUBE_API_KEY).')
      }
      return playlists.read(request.params.playlistId).catch((error: unknown) => {
        throw toApiError(error)
      })
    },
  )
}
