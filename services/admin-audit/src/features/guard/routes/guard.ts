import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { GuardBody, GuardResult } from '@looptide/contracts/http/admin'
import type { GuardService } from '../guard-service.ts'

/** POST /internal/guard: services ask whether a guarded action may run. Not reachable through the gateway. */
export const guardRoute: FastifyPluginAsyncTypebox<{
  guard: GuardService
}> = async (app, { guard }) => {
  app.post(
    '/internal/guard',
    {
      schema: { hide: true, body: GuardBody, response: { 200: GuardResult } },
      config: { operation: 'admin.guard.check' },
    },
    async (request) => guard.check(request.body),
  )
}
