import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SearchQuery, SearchResult } from '@looptide/contracts/http/videos'
import { errors } from '@looptide/service-kit/http/errors'
import type { CatalogueDb } from '../../../db/schema.ts'
import { presentVideo } from '../../videos/present-video.ts'
import { searchByText, videosOfArtist } from '../search-repository.ts'

/** Maximum artists in a result. */
const MAX_ARTISTS = 5

/** GET /api/search: videos and artists that match `q`, or the videos of `artist`. */
export const search: FastifyPluginAsyncTypebox<{ db: CatalogueDb }> = async (app, { db }) => {
  app.get(
    '/api/search',
    {
      schema: { querystring: SearchQuery, response: { 200: SearchResult } },
      config: { operation: 'catalogue.video.search' },
    },
    async (request) => {
      const { q = '', artist, limit = 20 } = request.query
      if (artist !== undefined) {
        const rows = artist.includes('\0') ? [] : await videosOfArtist(db, artist, limit)
        return { videos: rows.map(presentVideo), artists: [] }
      }
      const text = q.trim()
      if (text === '') throw errors.validation('Enter a search text or an artist.')
      const { videos, artists } = await searchByText(db, text, { videos: limit, artists: MAX_ARTISTS })
      return { videos: videos.map(presentVideo), artists }
    },
  )
}
