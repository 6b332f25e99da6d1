import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { HandleCheck, HandleParams } from '@looptide/contracts/http/users'
import { signedIn } from '@looptide/service-kit/identity/request-user'
import type { UserService } from '../user-service.ts'

/** `GET /api/profiles/handles/:handle`: whether the user may take this handle. Their own handle is available. */
export const checkHandle: FastifyPluginAsyncTypebox<{ users: UserService }> = async (app, { users }) => {
  app.get(
    '/api/profiles/handles/:handle',
    {
      schema: { params: HandleParams, response: { 200: HandleCheck } },
      config: { operation: 'auth.handle.check' },
    },
    async (request) => {
      const { handle } = request.params
      return { handle, available: await users.isHandleFree(handle, signedIn(request)) }
    },
  )
}
