import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams, PlaybackReportBody, PlaybackReportResult } from '@looptide/contracts/http/channels'
import { clientIp } from '@looptide/service-kit/client-ip'
import { anonymousVisitorId } from '@looptide/service-kit/client-network'
import type { ReportService } from '../report-service.ts'

/**
 * POST /api/channels/:id/reports, for everybody: what a viewer's player found out about a video. Who is signed in
 * counts by account, visitors by where they come from: a made-up name would make one voice many.
 */
export const reportPlayback: FastifyPluginAsyncTypebox<{
  reports: ReportService
  /** Makes visitors' names from their addresses. */
  visitorKey: string
}> = async (app, { reports, visitorKey }) => {
  app.post(
    '/api/channels/:id/reports',
    {
      schema: { params: ChannelParams, body: PlaybackReportBody, response: { 202: PlaybackReportResult } },
      config: { operation: 'stream.playback.report' },
    },
    async (request, reply) => {
      const { params, body, user } = request
      const network = anonymousVisitorId(clientIp(request), visitorKey)
      const viewer = user === null ? `visitor:${network}` : `user:${user.id}`
      const accepted = await reports.report({ channelId: params.id, viewer, network, ...body })
      return reply.status(202).send({ accepted })
    },
  )
}
