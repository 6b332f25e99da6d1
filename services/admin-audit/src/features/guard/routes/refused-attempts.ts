import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { RefusedAttemptsBody } from '@looptide/contracts/http/admin'
import { requireInternal } from '@looptide/service-kit/identity/internal'
import { Type } from 'typebox'
import type { RefusedAttempts } from '../refused-attempts.ts'

/** POST /internal/refused-attempts: processes report requests they refused. Not reachable through the gateway. */
export const refusedAttemptsRoute: FastifyPluginAsyncTypebox<{
  refusals: RefusedAttempts
  internalTokensAccepted: readonly string[]
}> = async (app, { refusals, internalTokensAccepted }) => {
  app.post(
    '/internal/refused-attempts',
    {
      schema: {
        hide: true,
        body: RefusedAttemptsBody,
        response: { 200: Type.Object({ taken: Type.Integer() }) },
      },
      config: { operation: 'admin.refused_attempts.record' },
      onRequest: requireInternal(internalTokensAccepted),
    },
    async (request) => {
      const { attempts } = request.body
      await refusals.recordReported(attempts)
      return { taken: attempts.length }
    },
  )
}
