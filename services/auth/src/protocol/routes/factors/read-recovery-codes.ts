import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox'
import { readFactorCaller } from './factor-caller.ts'
import type { RecoveryDeps } from './recovery-deps.ts'

/** `GET /factors/recovery-codes`: how many there are and how many remain. */
export const readRecoveryCodes: FastifyPluginAsyncTypebox<RecoveryDeps> = async (app, deps) => {
  app.get(
    '/factors/recovery-codes',
    { config: { operation: 'auth.recovery_code.read' } },
    async (request) => {
      const { caller } = await readFactorCaller(request, deps)
      const { id, total, remaining } = await deps.recoveryCodes.status(caller)
      return { id, type: 'recovery_code', total, remaining }
    },
  )
}
