import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChannelParams } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { Type } from 'typebox'
import type { ChannelService } from '../channel-service.ts'

/** DELETE /api/channels/:id (`channels:manage`): also deletes its playlist, timeline and air log. */
export const deleteChannel: FastifyPluginAsyncTypebox<{ channels: ChannelService }> = async (
  app,
  { channels },
) => {
  app.delete(
    '/api/channels/:id',
    {
      schema: { params: ChannelParams, response: { 204: Type.Null() } },
      config: { operation: 'stream.channel.delete' },
    },
    async (request, reply) => {
      await channels.remove(request.params.id, causeOf(request))
      return reply.status(204).send(null)
    },
  )
}
