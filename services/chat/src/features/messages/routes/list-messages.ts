import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChatChannelParams, ChatListQuery, ChatPage } from '@looptide/contracts/http/chat'
import type { MessageService } from '../message-service.ts'

/** GET /api/chat/channels/:id/messages: visible messages (public). */
export const listMessages: FastifyPluginAsyncTypebox<{ messages: MessageService }> = async (
  app,
  { messages },
) => {
  app.get(
    '/api/chat/channels/:id/messages',
    {
      schema: { params: ChatChannelParams, querystring: ChatListQuery, response: { 200: ChatPage } },
      config: { operation: 'chat.message.list' },
    },
    async (request) => messages.list(request.params.id, request.query),
  )
}
