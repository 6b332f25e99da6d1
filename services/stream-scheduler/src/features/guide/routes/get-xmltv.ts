import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { sendCachedText } from '@looptide/service-kit/http/cached-text'
import { Type } from 'typebox'
import type { GuideFeeds } from '../guide-feeds.ts'

/** GET /api/guide.xml: the next 36 hours of all active channels as XMLTV, cacheable for five minutes. */
export const getXmltv: FastifyPluginAsyncTypebox<{ feeds: GuideFeeds; now: () => number }> = async (
  app,
  { feeds, now },
) => {
  app.get(
    '/api/guide.xml',
    {
      schema: {
        summary: 'The guide of all channels as XMLTV',
        response: { 200: { content: { 'application/xml': { schema: Type.String() } } } },
      },
      config: { operation: 'stream.guide.xmltv' },
    },
    async (request, reply) => {
      const text = await feeds.xmltv(now())
      reply.header('cache-control', 'public, max-age=300')
      return sendCachedText(request, reply, text, 'application/xml; charset=utf-8')
    },
  )
}
