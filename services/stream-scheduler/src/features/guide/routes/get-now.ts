import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams, NowState } from '@looptide/contracts/http/channels'
import type { NowTexts } from '../now-text.ts'
import { sendJsonText } from '../send-json-text.ts'

/**
 * GET /api/channels/:id/now, from memory. The answer holds a clock, so no cache may keep it: a cache that asks
 * again with the ETag gets 304 and would show its old clock. Who keeps the programmes itself may use the ETag and
 * take the time from the header `x-server-now-ms`, which every answer has.
 */
export const getNow: FastifyPluginAsyncTypebox<{ texts: NowTexts; now: () => number }> = async (
  app,
  { texts, now },
) => {
  app.get(
    '/api/channels/:id/now',
    {
      schema: { params: ChannelParams, response: { 200: NowState } },
      config: { operation: 'stream.now.get' },
    },
    async (request, reply) => {
      const nowMs = now()
      const answer = await texts.answer(request.params.id, nowMs)
      reply.header('cache-control', 'no-store').header('x-server-now-ms', nowMs)
      return sendJsonText(request, reply, answer)
    },
  )
}
