import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { FactorParams } from '@looptide/contracts/http/auth'
import type { FactorVerification } from '../../../features/factors/factor-verification.ts'
import { type FactorRouteDeps, readFactorCaller } from './factor-caller.ts'

interface ChallengeDeps extends FactorRouteDeps {
  factorVerification: FactorVerification
}

/** `POST /factors/:factorId/challenge` */
export const challengeFactor: FastifyPluginAsyncTypebox<ChallengeDeps> = async (app, deps) => {
  app.post(
    '/factors/:factorId/challenge',
    { schema: { params: FactorParams }, config: { operation: 'auth.factor.challenge' } },
    async (request) => {
      const { caller, client } = await readFactorCaller(request, deps)
      const { factorId } = request.params
      const {
        id,
        type,
        expiresAt,
        request: webauthn,
      } = await deps.factorVerification.challenge(caller, factorId, client)
      return { id, type, expires_at: expiresAt, ...(webauthn === undefined ? {} : { webauthn }) }
    },
  )
}
