import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { YoutubePlaylist, YoutubePlaylistParams } from '@looptide/contracts/http/metadata'
import { AppError, errors } from '@looptide/service-kit/errors'
import { requireAdmin } from '@looptide/service-kit/request-user'
import { QuotaOutError } from '../../../youtube/outcome.ts'
import { NoSuchPlaylistError, type PlaylistClient } from '../../../youtube/playlist-client.ts'

/**
 * GET /api/metadata/playlists/:playlistId: which videos a playlist on YouTube holds (admin). `conflict` without an API
 * key, `not_found` for one that is private or gone, `rate_limited` when today's quota is used up.
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
      onRequest: requireAdmin,
    },
    async (request) => {
      if (playlists === null) {
        throw errors.conflict('Importing a playlist needs an API key of YouTube (YOUTUBE_API_KEY).')
      }
      return playlists.read(request.params.playlistId).catch((error: unknown) => {
        throw refusalOf(error)
      })
    },
  )
}

function refusalOf(error: unknown): unknown {
  if (error instanceof NoSuchPlaylistError) return errors.notFound('This playlist')
  if (error instanceof QuotaOutError) return new AppError('rate_limited', 'The daily quota is used up.')
  return errors.unavailable('YouTube')
}
