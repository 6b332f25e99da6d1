import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { FactorParams, VerifyFactorBody } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { FactorService } from '../../../features/factors/factor-service.ts'
import type { LimitedAttempt } from '../../../limits/rate-limits.ts'
import { AuthError } from '../../auth-error.ts'
import { type FactorRouteDeps, readFactorCaller } from './factor-caller.ts'

/** `POST /factors/:factorId/verify` */
export const verifyFactor: FastifyPluginAsyncTypebox<FactorRouteDeps & { factors: FactorService }> = async (
  app,
  deps,
) => {
  app.post(
    '/factors/:factorId/verify',
    {
      schema: { params: FactorParams, body: VerifyFactorBody },
      config: { operation: 'auth.factor.verify' },
    },
    async (request) => {
      const { caller, client } = await readFactorCaller(request, deps)
      const { challenge_id: challengeId, code } = request.body
      if (code.trim() === '') throw AuthError.validation('Code needs to be non-empty')
      const attempts: LimitedAttempt[] = [
        ['factor-account-network', caller.user.id, clientIp(request)],
        ['factor-account', caller.user.id],
      ]
      await deps.limits.consume(...attempts)
      const answer = { challengeId, code: code.replaceAll(/\s/g, '') }
      const session = await deps.factors.verify(caller, request.params.factorId, answer, client)
      await deps.limits.refund(...attempts)
      return session
    },
  )
}
