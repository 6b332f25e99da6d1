import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams, NowState } from '@looptide/contracts/http/channels'
import type { NowResponses } from '../now-response.ts'
import { sendJsonText } from '../send-json-text.ts'

/**
 * GET /api/channels/:id/now, answered from the timeline cache. The response contains the server's time, so HTTP caches
 * must not store it: after a 304 they would send an old time. A client that keeps the programmes may use the ETag and
 * take the time from the header `x-server-now-ms` of every response.
 */
export const getNow: FastifyPluginAsyncTypebox<{
  nowResponses: NowResponses
  now: () => number
}> = async (app, { nowResponses, now }) => {
  app.get(
    '/api/channels/:id/now',
    {
      schema: { params: ChannelParams, response: { 200: NowState } },
      config: { operation: 'stream.now.get' },
    },
    async (request, reply) => {
      const nowMs = now()
      const response = await nowResponses.get(request.params.id, nowMs)
      reply.header('cache-control', 'no-store').header('x-server-now-ms', nowMs)
      return sendJsonText(request, reply, response)
    },
  )
}
