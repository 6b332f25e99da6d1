import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { Channel, ChannelParams, UpdateChannelBody } from '@looptide/contracts/http/channels'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { requirePermission } from '@looptide/service-kit/identity/request-user'
import type { ChannelService } from '../channel-service.ts'
import { presentChannel } from '../present-channel.ts'

/** PATCH /api/channels/:id. Everything but the shuffle of its playlist needs `channels:manage`. */
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
    async (request) => {
      const { shuffleEnabled: _shuffle, ...rest } = request.body
      if (Object.keys(rest).length > 0) requirePermission(request, 'channels:manage')
      return presentChannel(await channels.update(request.params.id, request.body, causeOf(request)))
    },
  )
}
