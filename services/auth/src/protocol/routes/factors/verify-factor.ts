import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { FactorParams, VerifyFactorBody } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import type { Static } from 'typebox'
import type { FactorAnswer, FactorVerification } from '../../../features/factors/factor-verification.ts'
import { AuthError } from '../../auth-error.ts'
import { recordSignInNetwork } from '../../record-network.ts'
import { type FactorRouteDeps, readFactorCaller } from './factor-caller.ts'

interface VerifyDeps extends FactorRouteDeps {
  factorVerification: FactorVerification
}

/** `POST /factors/:factorId/verify` */
export const verifyFactor: FastifyPluginAsyncTypebox<VerifyDeps> = async (app, deps) => {
  app.post(
    '/factors/:factorId/verify',
    {
      schema: { params: FactorParams, body: VerifyFactorBody },
      config: { operation: 'auth.factor.verify' },
    },
    async (request) => {
      const { caller, client } = await readFactorCaller(request, deps)
      const answer = readAnswer(request.body)
      const attempts = await deps.signInGuard.admitFactor(caller.user, clientIp(request))
      const session = await deps.factorVerification.verify(caller, request.params.factorId, answer, client)
      await deps.limits.refund(...attempts)
      return recordSignInNetwork(request, session, deps)
    },
  )
}

function readAnswer({
  challenge_id: challengeId,
  code,
  webauthn,
}: Static<typeof VerifyFactorBody>): FactorAnswer {
  if (webauthn) return { challengeId, webauthn }
  const digits = (code ?? '').replaceAll(/\s/g, '')
  if (digits === '') throw AuthError.validation('Code needs to be non-empty')
  return { challengeId, code: digits }
}
