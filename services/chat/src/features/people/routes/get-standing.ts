import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChatChannelParams, ChatPermissions } from '@looptide/contracts/http/chat'
import { requireUser, signedIn } from '@looptide/service-kit/request-user'
import type { StandingService } from '../standing-service.ts'

export const getStanding: FastifyPluginAsyncTypebox<{ standing: StandingService }> = async (
  app,
  { standing },
) => {
  app.get(
    '/api/chat/channels/:id/permissions',
    {
      schema: { params: ChatChannelParams, response: { 200: ChatPermissions } },
      config: { operation: 'chat.permissions.get' },
      onRequest: requireUser,
    },
    async (request, reply) =>
      reply.header('cache-control', 'no-store').send(await standing.of(signedIn(request), request.params.id)),
  )
}
