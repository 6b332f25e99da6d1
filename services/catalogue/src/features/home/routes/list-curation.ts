import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { PageQuery } from '@looptide/contracts/common'
import { CurationPage } from '@looptide/contracts/http/videos'
import { toPage } from '@looptide/service-kit/http/cursor'
import { curationCursor } from '../curation-repository.ts'
import { type CurationService, presentCuration } from '../curation-service.ts'

/** GET /api/curation: curation items by section and position (`home:edit`). `ETag` is the version of the whole order. */
export const listCuration: FastifyPluginAsyncTypebox<{ curation: CurationService }> = async (
  app,
  { curation },
) => {
  app.get(
    '/api/curation',
    {
      schema: { querystring: PageQuery, response: { 200: CurationPage } },
      config: { operation: 'catalogue.curation.list' },
    },
    async (request, reply) => {
      const { limit = 100, cursor } = request.query
      // Read before the page: after a change in between it is outdated, and a write with it is refused.
      reply.header('etag', await curation.etag())
      const rows = await curation.list(limit, cursor)
      return toPage(
        rows,
        limit,
        ({ item, video }) => presentCuration(item, video),
        ({ item }) => curationCursor(item),
      )
    },
  )
}
