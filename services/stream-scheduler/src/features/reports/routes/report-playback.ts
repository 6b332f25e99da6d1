import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams, PlaybackReportBody, PlaybackReportResult } from '@looptide/contracts/http/channels'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { anonymousVisitorId } from '@looptide/service-kit/http/client-network'
import { countryOf } from '../country-of.ts'
import type { ReportService } from '../report-service.ts'

/**
 * POST /api/channels/:id/reports (public): a player's error or measured duration of a video. Signed-in users are
 * identified by account and visitors by network, since a name chosen by the client could be changed for each report.
 */
export const reportPlayback: FastifyPluginAsyncTypebox<{
  reports: ReportService
  /** Key with which the networks of visitors are hashed. */
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
      const { timeZone, ...report } = body
      const country = countryOf(timeZone)
      const accepted = await reports.report({ channelId: params.id, viewer, network, country, ...report })
      return reply.status(202).send({ accepted })
    },
  )
}
