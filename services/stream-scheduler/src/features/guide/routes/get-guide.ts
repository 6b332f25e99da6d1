import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams, Guide, GuideQuery } from '@looptide/contracts/http/channels'
import type { TimelineMemory } from '../../../timeline/timeline-memory.ts'
import { knownChannel, MOST_GUIDE, programmesBetween } from '../now-text.ts'
import { sendJsonText } from '../send-json-text.ts'

const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/**
 * GET /api/channels/:id/guide, from memory: without `fromMs` from what is on now. At most 2,000 programmes; a
 * channel of very short clips is asked for again from where the answer ends. Caches ask again each time, so that an
 * edit is seen at once.
 */
export const getGuide: FastifyPluginAsyncTypebox<{ memory: TimelineMemory; now: () => number }> = async (
  app,
  { memory, now },
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
      const { facts, programmes } = await knownChannel(memory, id)
      const shown = programmesBetween(programmes, fromMs, fromMs + hours * HOUR_MS, MOST_GUIDE)
      const { timelineVersion } = facts
      const etag = `W/"${timelineVersion}-${shown[0]?.id}-${shown.at(-1)?.id}-${Math.floor(serverNowMs / MINUTE_MS)}"`
      const list = shown.map((programme) => memory.present(id, programme))
      const body = JSON.stringify({ channelId: id, timelineVersion, serverNowMs, programmes: list })
      reply.header('cache-control', 'public, no-cache')
      return sendJsonText(request, reply, { body, etag })
    },
  )
}
