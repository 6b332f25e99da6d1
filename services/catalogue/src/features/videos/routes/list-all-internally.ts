import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { InternalVideosQuery, VideoPage } from '@looptide/contracts/http/videos'
import { toPage } from '@looptide/service-kit/http/cursor'
import type { CatalogueDb } from '../../../db/schema.ts'
import { listCursor, listVideos } from '../list-repository.ts'
import { presentVideo } from '../present-video.ts'
import { countVideos } from '../video-repository.ts'

/** GET /internal/videos: a page of the whole library, for a service that rebuilds its projection. */
export const listAllInternally: FastifyPluginAsyncTypebox<{
  db: CatalogueDb
}> = async (app, { db }) => {
  app.get(
    '/internal/videos',
    {
      schema: { querystring: InternalVideosQuery, response: { 200: VideoPage }, hide: true },
      config: { operation: 'catalogue.video.list_internally' },
    },
    async (request) => {
      const { limit = 500, cursor } = request.query
      const rows = await listVideos(db, { sort: 'newest', includePrivate: true, limit, cursor })
      const total = await countVideos(db, { includePrivate: true })
      return { ...toPage(rows, limit, presentVideo, (row) => listCursor('newest', row)), total }
    },
  )
}
