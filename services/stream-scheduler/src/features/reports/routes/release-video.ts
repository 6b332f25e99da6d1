import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { QuarantineParams } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { Type } from 'typebox'
import type { ReportService } from '../report-service.ts'

/** DELETE /api/channels/quarantine/:videoId (`schedules:edit`). */
export const releaseVideo: FastifyPluginAsyncTypebox<{ reports: ReportService }> = async (
  app,
  { reports },
) => {
  app.delete(
    '/api/channels/quarantine/:videoId',
    {
      schema: { params: QuarantineParams, response: { 204: Type.Null() } },
      config: { operation: 'stream.quarantine.release' },
    },
    async (request, reply) => {
      await reports.release(request.params.videoId, causeOf(request))
      return reply.status(204).send(null)
    },
  )
}
