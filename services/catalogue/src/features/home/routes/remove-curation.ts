import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { IdParams } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { CurationService } from '../curation-service.ts'

/** DELETE /api/curation/:id: removes an item from the home page (`home:edit`). */
export const removeCuration: FastifyPluginAsyncTypebox<{ curation: CurationService }> = async (
  app,
  { curation },
) => {
  app.delete(
    '/api/curation/:id',
    {
      schema: { params: IdParams },
      config: { operation: 'catalogue.curation.remove' },
    },
    async (request, reply) => {
      await curation.remove(request.params.id, causeOf(request))
      return reply.status(204).send()
    },
  )
}
