import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChatChannelParams, ChatMessage, PostChatBody } from '@looptide/contracts/http/chat'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { MessageService } from '../message-service.ts'

/**
 * POST /api/chat/channels/:id/messages (users): responds 201 with the new message, or 200 with the first one if the
 * `clientId` was posted before.
 */
export const postMessage: FastifyPluginAsyncTypebox<{ messages: MessageService }> = async (
  app,
  { messages },
) => {
  app.post(
    '/api/chat/channels/:id/messages',
    {
      schema: {
        params: ChatChannelParams,
        body: PostChatBody,
        response: { 200: ChatMessage, 201: ChatMessage },
      },
      config: { operation: 'chat.message.post' },
    },
    async (request, reply) => {
      const { body, params } = request
      const posted = await messages.post(signedIn(request), params.id, body, causeOf(request))
      return reply.status(posted.isNew ? 201 : 200).send(posted.message)
    },
  )
}
