import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Accepted, ChannelParams, PlaybackReportBody } from '@looptide/contracts/http/channels'
import type { ReportService } from '../report-service.ts'

/** POST /api/channels/:id/reports, for everybody: what a viewer's player found out about a video. */
export const reportPlayback: FastifyPluginAsyncTypebox<{ reports: ReportService }> = async (
  app,
  { reports },
) => {
  app.post(
    '/api/channels/:id/reports',
    {
      schema: { params: ChannelParams, body: PlaybackReportBody, response: { 202: Accepted } },
      config: { operation: 'stream.playback.report' },
    },
    async ({ params, body: { viewerId, ...facts }, user }, reply) => {
      const viewer = user === null ? `viewer:${viewerId}` : `user:${user.id}`
      const accepted = await reports.report({ channelId: params.id, viewer, ...facts })
      return reply.status(202).send({ accepted })
    },
  )
}
