import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { VerifyRecoveryCodeBody } from '@looptide/contracts/http/auth'
import { clientIp } from '@looptide/service-kit/http/client-ip'
import { AccountError } from '../../../account-error.ts'
import type { LimitedAttempt } from '../../../limits/rate-limits.ts'
import { recordSignInNetwork } from '../../record-network.ts'
import { readFactorCaller } from './factor-caller.ts'
import type { RecoveryDeps } from './recovery-deps.ts'

/** `POST /factors/recovery-codes/verify` */
export const verifyRecoveryCode: FastifyPluginAsyncTypebox<RecoveryDeps> = async (app, deps) => {
  app.post(
    '/factors/recovery-codes/verify',
    { schema: { body: VerifyRecoveryCodeBody }, config: { operation: 'auth.recovery_code.verify' } },
    async (request) => {
      const { caller, client } = await readFactorCaller(request, deps)
      const attempt: LimitedAttempt = ['recovery-code', caller.user.id, clientIp(request)]
      const exhausted = await deps.limits.tryConsume(attempt)
      if (exhausted !== undefined) {
        const message = 'Too many wrong recovery codes. Try again later.'
        throw new AccountError('recovery_codes_locked', message, { retryAfterMs: exhausted.retryAfterMs })
      }
      const session = await deps.recoveryCodes.verify(caller, request.body.code, client)
      await deps.limits.refund(attempt)
      return recordSignInNetwork(request, session, deps)
    },
  )
}
