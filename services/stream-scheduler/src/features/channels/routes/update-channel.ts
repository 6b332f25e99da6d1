import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Channel, ChannelParams, UpdateChannelBody } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { ChannelService } from '../channel-service.ts'
import { presentChannel } from '../present-channel.ts'

/** PATCH /api/channels/:id (admin). */
export const updateChannel: FastifyPluginAsyncTypebox<{ channels: ChannelService }> = async (
  app,
  { channels },
) => {
  app.patch(
    '/api/channels/:id',
    {
      schema: { params: ChannelParams, body: UpdateChannelBody, response: { 200: Channel } },
      config: { operation: 'stream.channel.update' },
    },
    async (request) =>
      presentChannel(await channels.update(request.params.id, request.body, causeOf(request))),
  )
}
