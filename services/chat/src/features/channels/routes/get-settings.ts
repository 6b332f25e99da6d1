import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChatChannelParams, ChatSettings } from '@looptide/contracts/http/chat'
import type { ChannelService } from '../channel-service.ts'

export const getSettings: FastifyPluginAsyncTypebox<{ channels: ChannelService }> = async (
  app,
  { channels },
) => {
  app.get(
    '/api/chat/channels/:id/settings',
    {
      schema: { params: ChatChannelParams, response: { 200: ChatSettings } },
      config: { operation: 'chat.settings.get' },
    },
    async (request) => channels.findSettings(request.params.id),
  )
}
