import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChatChannelParams, ChatStanding } from '@looptide/contracts/http/chat'
import { requireUser, signedIn } from '@looptide/service-kit/request-user'
import type { StandingService } from '../standing-service.ts'

export const getStanding: FastifyPluginAsyncTypebox<{ standing: StandingService }> = async (
  app,
  { standing },
) => {
  app.get(
    '/api/chat/channels/:id/standing',
    {
      schema: { params: ChatChannelParams, response: { 200: ChatStanding } },
      config: { operation: 'chat.standing.get' },
      onRequest: requireUser,
    },
    async (request, reply) =>
      reply.header('cache-control', 'no-store').send(await standing.of(signedIn(request), request.params.id)),
  )
}
