import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { FactorParams } from '@looptide/contracts/http/auth'
import type { FactorService } from '../../../features/factors/factor-service.ts'
import { type FactorRouteDeps, readFactorCaller } from './factor-caller.ts'

/** `POST /factors/:factorId/challenge` */
export const challengeFactor: FastifyPluginAsyncTypebox<
  FactorRouteDeps & { factors: FactorService }
> = async (app, deps) => {
  app.post(
    '/factors/:factorId/challenge',
    { schema: { params: FactorParams }, config: { operation: 'auth.factor.challenge' } },
    async (request) => {
      const { caller, client } = await readFactorCaller(request, deps)
      const { id, expiresAt } = await deps.factors.challenge(caller, request.params.factorId, client)
      return { id, type: 'totp', expires_at: expiresAt }
    },
  )
}
