import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Channel, CreateChannelBody } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { ChannelService } from '../channel-service.ts'
import { presentChannel } from '../present-channel.ts'

/** POST /api/channels (`channels:manage`). */
export const createChannel: FastifyPluginAsyncTypebox<{ channels: ChannelService }> = async (
  app,
  { channels },
) => {
  app.post(
    '/api/channels',
    {
      schema: { body: CreateChannelBody, response: { 201: Channel } },
      config: { operation: 'stream.channel.create' },
    },
    async (request, reply) => {
      const channel = await channels.create(request.body, causeOf(request))
      return reply.status(201).send(presentChannel(channel))
    },
  )
}
