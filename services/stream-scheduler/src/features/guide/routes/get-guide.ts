import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams, Guide, GuideQuery, SPECIALS_AHEAD_MS } from '@looptide/contracts/http/channels'
import type { TimelineCache } from '../../../timeline/timeline-cache.ts'
import { findChannel, MAX_GUIDE_PROGRAMMES, programmesBetween } from '../now-response.ts'
import { sendJsonText } from '../send-json-text.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/**
 * GET /api/channels/:id/guide, answered from the timeline cache: without `fromMs` from the current programme. At most
 * 2,000 programmes; for a channel of very short clips the client requests the rest from the end of the response. HTTP
 * caches revalidate each time, so that an edit is visible at once.
 */
export const getGuide: FastifyPluginAsyncTypebox<{ timelines: TimelineCache; now: () => number }> = async (
  app,
  { timelines, now },
) => {
  app.get(
    '/api/channels/:id/guide',
    {
      schema: { params: ChannelParams, querystring: GuideQuery, response: { 200: Guide } },
      config: { operation: 'stream.guide.get' },
    },
    async (request, reply) => {
      const { id } = request.params
      const serverNowMs = now()
      const { fromMs = serverNowMs, hours = 24 } = request.query
      const { row, programmes } = await findChannel(timelines, id)
      const found = programmesBetween(programmes, fromMs, fromMs + hours * HOUR_MS, MAX_GUIDE_PROGRAMMES)
      const { timelineVersion } = row
      const etag = `W/"${timelineVersion}-${found[0]?.id}-${found.at(-1)?.id}-${Math.floor(serverNowMs / MINUTE_MS)}"`
      const list = found.map((programme) => timelines.present(id, programme))
      const specials = timelines.specialsOf(id, serverNowMs, serverNowMs + SPECIALS_AHEAD_MS)
      const body = JSON.stringify({ channelId: id, timelineVersion, serverNowMs, programmes: list, specials })
      reply.header('cache-control', 'public, no-cache')
      return sendJsonText(request, reply, { body, etag })
    },
  )
}
