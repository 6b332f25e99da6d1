import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { SearchQuery, SearchResult } from '@looptide/contracts/http/videos'
import { errors } from '@looptide/service-kit/errors'
import type { CatalogueDb } from '../../../db/schema.ts'
import { presentVideo } from '../../videos/present-video.ts'
import { findByText, videosOfArtist } from '../search-repository.ts'

/** Artist entries beside the videos (viewer specification §7, "Search"). */
const ARTISTS_SHOWN = 5

/** GET /api/search: by text, or the videos of one artist. */
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
        const found = artist.includes('\0') ? [] : await videosOfArtist(db, artist, limit)
        return { videos: found.map(presentVideo), artists: [] }
      }
      const text = q.trim()
      if (text === '') throw errors.validation('Enter a search text or an artist.')
      const { videos, artists } = await findByText(db, text, { videos: limit, artists: ARTISTS_SHOWN })
      return { videos: videos.map(presentVideo), artists }
    },
  )
}
