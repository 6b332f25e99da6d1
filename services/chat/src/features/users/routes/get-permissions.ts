import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { ChatChannelParams, ChatPermissions } from '@looptide/contracts/http/chat'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { PermissionService } from '../permission-service.ts'

export const getPermissions: FastifyPluginAsyncTypebox<{ permissions: PermissionService }> = async (
  app,
  { permissions },
) => {
  app.get(
    '/api/chat/channels/:id/permissions',
    {
      schema: { params: ChatChannelParams, response: { 200: ChatPermissions } },
      config: { operation: 'chat.permissions.get' },
    },
    async (request, reply) =>
      reply
        .header('cache-control', 'no-store')
        .send(await permissions.find(signedIn(request), request.params.id)),
  )
}
