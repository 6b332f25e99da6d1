import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { QuarantineParams, ReplaceVideoBody, ReplaceVideoResult } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { ReportService } from '../report-service.ts'

/** POST /api/channels/quarantine/:videoId/replacement (`schedules:edit`). */
export const replaceVideo: FastifyPluginAsyncTypebox<{ reports: ReportService }> = async (
  app,
  { reports },
) => {
  app.post(
    '/api/channels/quarantine/:videoId/replacement',
    {
      schema: { params: QuarantineParams, body: ReplaceVideoBody, response: { 200: ReplaceVideoResult } },
      config: { operation: 'stream.quarantine.replace' },
    },
    async (request) => {
      const { videoId } = request.params
      return { count: await reports.replace(videoId, request.body.replacementId, causeOf(request)) }
    },
  )
}
