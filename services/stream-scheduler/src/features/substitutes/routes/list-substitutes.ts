import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ProgrammeParams } from '@looptide/contracts/http/simulation'
import { SubstituteList } from '@looptide/contracts/http/substitutes'
import { sendCachedText } from '@looptide/service-kit/http/cached-text'
import type { Substitutes } from '../substitutes.ts'

/** GET /api/channels/:id/programmes/:programmeId/substitutes (public), the same for every viewer. */
export const listSubstitutes: FastifyPluginAsyncTypebox<{ substitutes: Substitutes }> = async (
  app,
  { substitutes },
) => {
  app.get(
    '/api/channels/:id/programmes/:programmeId/substitutes',
    {
      schema: { params: ProgrammeParams, response: { 200: SubstituteList } },
      config: { operation: 'stream.substitute.list' },
    },
    async (request, reply) => {
      const { id, programmeId } = request.params
      const text = await substitutes.get(id, programmeId)
      reply.header('cache-control', 'public, no-cache')
      return sendCachedText(request, reply, text, 'application/json; charset=utf-8')
    },
  )
}
