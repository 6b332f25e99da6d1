import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams } from '@looptide/contracts/http/channels'
import { sendCachedText } from '@looptide/service-kit/http/cached-text'
import { Type } from 'typebox'
import type { GuideFeeds } from '../guide-feeds.ts'

/**
 * GET /api/channels/:id/guide.ics: the channel's next 24 hours as an iCalendar feed, cacheable for five minutes.
 * `not_found` for an unknown channel.
 */
export const getCalendar: FastifyPluginAsyncTypebox<{ feeds: GuideFeeds; now: () => number }> = async (
  app,
  { feeds, now },
) => {
  app.get(
    '/api/channels/:id/guide.ics',
    {
      schema: {
        summary: "A channel's guide as iCalendar",
        params: ChannelParams,
        response: { 200: { content: { 'text/calendar': { schema: Type.String() } } } },
      },
      config: { operation: 'stream.guide.calendar' },
    },
    async (request, reply) => {
      const text = await feeds.calendar(request.params.id, now())
      reply.header('cache-control', 'public, max-age=300')
      return sendCachedText(request, reply, text, 'text/calendar; charset=utf-8')
    },
  )
}
