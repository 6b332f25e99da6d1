import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { HandleCheck, HandleParams } from '@looptide/contracts/http/users'
import { requireUser, signedIn } from '@looptide/service-kit/request-user'
import type { PeopleRoutesDeps } from './index.ts'

/** `GET /api/profiles/handles/:handle`: may the asker be called this? One's own handle is free for oneself. */
export const checkHandle: FastifyPluginAsyncTypebox<PeopleRoutesDeps> = async (app, { people }) => {
  app.get(
    '/api/profiles/handles/:handle',
    {
      schema: { params: HandleParams, response: { 200: HandleCheck } },
      config: { operation: 'auth.handle.check' },
      onRequest: requireUser,
    },
    async (request) => {
      const { handle } = request.params
      return { handle, available: await people.isHandleFree(handle, signedIn(request)) }
    },
  )
}
