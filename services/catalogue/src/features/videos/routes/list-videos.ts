import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ListVideosQuery, VideoPage } from '@looptide/contracts/http/videos'
import { toPage } from '@looptide/service-kit/http/cursor'
import { requirePermission } from '@looptide/service-kit/identity/request-user'
import type { CatalogueDb } from '../../../db/schema.ts'
import { findInList } from '../find-in-list.ts'
import { listCursor, listVideos as readVideos } from '../list-repository.ts'
import { totalOf } from '../list-total.ts'
import { presentVideo } from '../present-video.ts'

/** GET /api/videos: listed videos, optionally only those that match `q`. With `all`, unlisted ones as well (`videos:edit`). */
export const listVideos: FastifyPluginAsyncTypebox<{ db: CatalogueDb }> = async (app, { db }) => {
  app.get(
    '/api/videos',
    {
      schema: { querystring: ListVideosQuery, response: { 200: VideoPage } },
      config: { operation: 'catalogue.video.list' },
    },
    async (request) => {
      const { sort = 'newest', limit = 100, category, tag, cursor } = request.query
      const includePrivate = request.query.all ?? false
      const list = { sort, category, tag, limit, cursor, includePrivate }
      const text = request.query.q?.trim() ?? ''
      if (includePrivate) requirePermission(request, 'videos:edit')
      if (text !== '') {
        const page = await findInList(db, { ...list, text })
        return { ...page, items: page.items.map(presentVideo) }
      }
      const [rows, total] = await Promise.all([readVideos(db, list), totalOf(db, list)])
      return { ...toPage(rows, limit, presentVideo, (row) => listCursor(sort, row)), ...total }
    },
  )
}
