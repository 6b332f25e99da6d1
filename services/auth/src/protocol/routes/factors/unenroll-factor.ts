import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { FactorParams } from '@looptide/contracts/http/auth'
import type { FactorService } from '../../../features/factors/factor-service.ts'
import { type FactorRouteDeps, readFactorCaller } from './factor-caller.ts'

/** `DELETE /factors/:factorId` */
export const unenrollFactor: FastifyPluginAsyncTypebox<FactorRouteDeps & { factors: FactorService }> = async (
  app,
  deps,
) => {
  app.delete(
    '/factors/:factorId',
    { schema: { params: FactorParams }, config: { operation: 'auth.factor.unenroll' } },
    async (request) => {
      const { caller, client } = await readFactorCaller(request, deps)
      await deps.factors.unenroll(caller, request.params.factorId, client.cause)
      return { id: request.params.factorId }
    },
  )
}
