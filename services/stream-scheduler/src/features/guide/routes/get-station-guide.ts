import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { StationGuide, StationGuideQuery } from '@looptide/contracts/http/guide'
import { sendCachedText } from '@looptide/service-kit/http/cached-text'
import type { StationGuideResponses } from '../station-guide.ts'

const HOUR_MS = 3_600_000

/**
 * GET /api/guide, answered from the timeline cache: the active channels by position, each with its programmes in blocks.
 * HTTP caches revalidate each time and usually receive 304.
 */
export const getStationGuide: FastifyPluginAsyncTypebox<{
  guide: StationGuideResponses
  now: () => number
}> = async (app, { guide, now }) => {
  app.get(
    '/api/guide',
    {
      schema: {
        summary: "The guide of all channels: a day's programmes in blocks",
        querystring: StationGuideQuery,
        response: { 200: StationGuide },
      },
      config: { operation: 'stream.station_guide.get' },
    },
    async (request, reply) => {
      const nowMs = now()
      const { fromMs = nowMs - (nowMs % HOUR_MS), hours = 24, limit = 50, cursor } = request.query
      const text = await guide.get({ fromMs, hours, limit, cursor }, nowMs)
      reply.header('cache-control', 'public, no-cache')
      return sendCachedText(request, reply, text, 'application/json; charset=utf-8')
    },
  )
}
