import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { CurationItem, IdParams, UpdateCurationBody } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { expectedVersion } from '@looptide/service-kit/http/conditional'
import type { CurationService } from '../curation-service.ts'

/** PATCH /api/curation/:id: switches an item on or off, or moves it (`home:edit`). With `If-Match`, 412 if outdated. */
export const updateCuration: FastifyPluginAsyncTypebox<{ curation: CurationService }> = async (
  app,
  { curation },
) => {
  app.patch(
    '/api/curation/:id',
    {
      schema: { params: IdParams, body: UpdateCurationBody, response: { 200: CurationItem } },
      config: { operation: 'catalogue.curation.update' },
    },
    async (request) =>
      curation.update(request.params.id, request.body, causeOf(request), expectedVersion(request)),
  )
}
