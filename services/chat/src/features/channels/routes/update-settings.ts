import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChatChannelParams, ChatSettings } from '@looptide/contracts/http/chat'
import { causeOf } from '@looptide/service-kit/audit/audit'
import type { ChannelService } from '../channel-service.ts'

export const updateSettings: FastifyPluginAsyncTypebox<{ channels: ChannelService }> = async (
  app,
  { channels },
) => {
  app.patch(
    '/api/chat/channels/:id/settings',
    {
      schema: { params: ChatChannelParams, body: ChatSettings, response: { 200: ChatSettings } },
      config: { operation: 'chat.settings.update' },
    },
    async (request) => channels.update(request.params.id, request.body, causeOf(request)),
  )
}
