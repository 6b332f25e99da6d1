import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { YoutubeListPreview, YoutubeListQuery } from '@looptide/contracts/http/metadata'
import { parseYoutubeListUrl } from '@looptide/contracts/youtube-url'
import { errors } from '@looptide/service-kit/http/errors'
import type { PlaylistClient } from '../../../youtube/playlist-client.ts'
import { toApiError } from '../playlist-errors.ts'

/**
 * GET /api/metadata/lists: the title and the number of items of the playlist or channel of a URL (`videos:edit`). Throws
 * `validation_failed` for any other URL, and the errors of
 * `GET /api/metadata/playlists/:playlistId`.
 */
export const previewList: FastifyPluginAsyncTypebox<{ playlists: PlaylistClient | null }> = async (
  app,
  { playlists },
) => {
  app.get(
    '/api/metadata/lists',
    {
      schema: { querystring: YoutubeListQuery, response: { 200: YoutubeListPreview } },
      config: { operation: 'metadata.list.preview' },
    },
    async (request) => {
      const name = parseYoutubeListUrl(request.query.url)
      if (name === null) throw errors.validation('Enter the URL of a YouTube playlist or channel.')
      if (playlists === null) {
        throw errors.conflict('Following a list requires a YouTube API key (YOUTUBE_API_KEY).')
      }
      const { kind, title, itemCount } = await playlists.describe(name).catch((error: unknown) => {
        throw toApiError(error)
      })
      return { kind, title, itemCount }
    },
  )
}
