import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChatMessageParams } from '@looptide/contracts/http/chat'
import { causeOf } from '@looptide/service-kit/audit/audit'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import { Type } from 'typebox'
import type { MessageService } from '../message-service.ts'

/** DELETE /api/chat/channels/:id/messages/:messageId: removes a message (`chat:moderate`). */
export const removeMessage: FastifyPluginAsyncTypebox<{ messages: MessageService }> = async (
  app,
  { messages },
) => {
  app.delete(
    '/api/chat/channels/:id/messages/:messageId',
    {
      schema: { params: ChatMessageParams, response: { 204: Type.Null() } },
      config: { operation: 'chat.message.remove' },
    },
    async (request, reply) => {
      const { id, messageId } = request.params
      await messages.remove(signedIn(request), id, messageId, causeOf(request))
      return reply.status(204).send(null)
    },
  )
}
