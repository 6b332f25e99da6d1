import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams, StreamActionBody, StreamActionResult } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { Guard } from '@looptide/service-kit/audit/guard'
import type { StreamService } from '../stream-service.ts'

/** POST /api/channels/:id/stream (`channels:manage`). A reset is a guarded action. */
export const controlStream: FastifyPluginAsyncTypebox<{ streams: StreamService; guard: Guard }> = async (
  app,
  { streams, guard },
) => {
  app.post(
    '/api/channels/:id/stream',
    {
      schema: { params: ChannelParams, body: StreamActionBody, response: { 200: StreamActionResult } },
      config: { operation: 'stream.channel.control' },
    },
    async (request) => {
      const { action } = request.body
      if (action === 'reset') await guard.check(request, 'stream.reset.admin')
      return streams[action](request.params.id, causeOf(request))
    },
  )
}
