import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { AddCurationBody, CurationItem } from '@looptide/contracts/http/videos'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { CurationService } from '../curation-service.ts'

/** POST /api/curation: adds a video to the home page (`home:edit`). */
export const addCuration: FastifyPluginAsyncTypebox<{ curation: CurationService }> = async (
  app,
  { curation },
) => {
  app.post(
    '/api/curation',
    {
      schema: { body: AddCurationBody, response: { 201: CurationItem } },
      config: { operation: 'catalogue.curation.add' },
    },
    async (request, reply) => reply.status(201).send(await curation.add(request.body, causeOf(request))),
  )
}
