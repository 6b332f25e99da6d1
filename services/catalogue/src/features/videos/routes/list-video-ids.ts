import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { MAX_IDS_PER_PAGE, VideoIdPage, VideoIdsQuery } from '@looptide/contracts/http/videos'
import { toPage } from '@looptide/service-kit/http/cursor'
import type { CatalogueDb } from '../../../db/schema.ts'
import { findInList } from '../find-in-list.ts'
import { listCursor, listVideoIds as readIds } from '../list-repository.ts'

/** GET /api/videos/ids: ids of the library, or of the videos that match `q`, in list order (`videos:edit`). */
export const listVideoIds: FastifyPluginAsyncTypebox<{ db: CatalogueDb }> = async (app, { db }) => {
  app.get(
    '/api/videos/ids',
    {
      schema: {
        summary: 'Ids of the videos of a list',
        querystring: VideoIdsQuery,
        response: { 200: VideoIdPage },
      },
      config: { operation: 'catalogue.video.list_ids' },
    },
    async ({ query: { limit = MAX_IDS_PER_PAGE, sort = 'newest', category, tag, cursor, q } }) => {
      const text = q?.trim() ?? ''
      const list = { sort, category, tag, cursor, limit, includePrivate: true }
      if (text === '') {
        const rows = await readIds(db, list)
        return toPage(
          rows,
          limit,
          ({ id }) => id,
          (row) => listCursor(sort, row),
        )
      }
      const { items, nextCursor } = await findInList(db, { ...list, text })
      return { items: items.map(({ id }) => id), nextCursor }
    },
  )
}
