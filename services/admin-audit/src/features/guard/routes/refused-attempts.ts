import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RefusedAttemptsBody } from '@looptide/contracts/http/admin'
import { Type } from 'typebox'
import type { RefusedAttempts } from '../refused-attempts.ts'

/** POST /internal/refused-attempts: processes report requests they refused. Not reachable through the gateway. */
export const refusedAttemptsRoute: FastifyPluginAsyncTypebox<{
  refusals: RefusedAttempts
}> = async (app, { refusals }) => {
  app.post(
    '/internal/refused-attempts',
    {
      schema: {
        hide: true,
        body: RefusedAttemptsBody,
        response: { 200: Type.Object({ taken: Type.Integer() }) },
      },
      config: { operation: 'admin.refused_attempts.record' },
    },
    async (request) => {
      const { attempts } = request.body
      await refusals.recordReported(attempts)
      return { taken: attempts.length }
    },
  )
}
