import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ListVideosQuery, VideoPage } from '@looptide/contracts/http/videos'
import { toPage } from '@looptide/service-kit/http/cursor'
import { requireAdmin } from '@looptide/service-kit/identity/request-user'
import type { CatalogueDb } from '../../../db/schema.ts'
import { findInList } from '../find-in-list.ts'
import { listCursor, listVideos as readVideos } from '../list-repository.ts'
import { presentVideo } from '../present-video.ts'
import { countVideos } from '../video-repository.ts'

/** GET /api/videos: listed videos, optionally only those that match `q`. With `all`, unlisted ones as well (admin). */
export const listVideos: FastifyPluginAsyncTypebox<{ db: CatalogueDb }> = async (app, { db }) => {
  app.get(
    '/api/videos',
    {
      schema: { querystring: ListVideosQuery, response: { 200: VideoPage } },
      config: { operation: 'catalogue.video.list' },
    },
    async (request, reply) => {
      const { sort = 'newest', limit = 100, category, cursor, all: includePrivate = false } = request.query
      const text = request.query.q?.trim() ?? ''
      if (includePrivate) await requireAdmin(request, reply)
      if (text !== '') {
        const page = await findInList(db, { text, sort, category, limit, cursor, includePrivate })
        return { ...page, items: page.items.map(presentVideo) }
      }
      const [rows, total] = await Promise.all([
        readVideos(db, { sort, category, limit, cursor, includePrivate }),
        countVideos(db, { category, includePrivate }),
      ])
      return { ...toPage(rows, limit, presentVideo, (row) => listCursor(sort, row)), total }
    },
  )
}
